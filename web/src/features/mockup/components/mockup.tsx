import { Move, Share2 } from "lucide-react";
import { Link, useSearchParams } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { ColorSwatches } from "@/components/color-swatches";
import { PageTitle } from "@/components/page-title";
import { PriceTag } from "@/components/price-tag";
import { TakenDown } from "@/components/taken-down";
import { Button } from "@/components/ui/button";
import { useSession } from "@/lib/session/session-provider";
import { type ColorGroup, groupOfVariant } from "@/shop/catalog/variants";
import { shareDesignLink } from "@/shop/designs/share-link";
import type { PreviewDesign } from "../api/get-preview-design";
import { DesignDetails } from "./design-details";
import { DesignPicture } from "./design-picture";
import { MockupViewer } from "./mockup-viewer";
import { NextStep } from "./next-step";
import { ShirtFacts } from "./shirt-facts";

interface MockupProps {
  design: PreviewDesign;
  groups: ColorGroup[];
}

export function Mockup({ design, groups }: MockupProps) {
  const [search, setSearch] = useSearchParams();
  const color =
    groupOfVariant(groups, search.get("color")) ??
    groupOfVariant(groups, design.selected_colors?.[0]);
  const { user } = useSession();
  const productId = design.printify_product_id;

  function choose(group: ColorGroup) {
    setSearch(
      { design: design.id, color: group.variant.id },
      { replace: true, preventScrollReset: true },
    );
  }

  return (
    <div className="shell py-8 sm:py-12">
      <PageTitle>{design.name.slice(0, 60)}</PageTitle>
      {user ? (
        <BackLink to="/dashboard">Back to Dashboard</BackLink>
      ) : (
        <BackLink to="/discover">Back to Discover</BackLink>
      )}
      <div className="mt-4 mb-8 flex flex-wrap items-end justify-between gap-4">
        <h1 className="display-2">Preview Your Creation</h1>
        {design.isTakenDown ? null : (
          <div className="flex flex-wrap gap-3">
            {design.isOwn ? (
              <Button asChild variant="secondary">
                <Link
                  to={`/adjust?design=${design.id}${color ? `&color=${color.variant.id}` : ""}`}
                >
                  <Move aria-hidden="true" />
                  Adjust
                </Link>
              </Button>
            ) : null}
            <Button
              variant="secondary"
              onClick={() => shareDesignLink(design.id, undefined, design.linkKey)}
            >
              <Share2 aria-hidden="true" />
              Share
            </Button>
          </div>
        )}
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-14">
        <div className="lg:sticky lg:top-28">
          {productId && color ? (
            <MockupViewer productId={productId} design={design} color={color} />
          ) : (
            <DesignPicture design={design} />
          )}
        </div>
        <div className="flex flex-col gap-8">
          {productId ? (
            <section aria-labelledby="choose-color">
              <h2 id="choose-color" className="mb-3 text-xl">
                Choose Color
              </h2>
              <ColorSwatches groups={groups} selected={color?.variant.id} onSelect={choose} />
            </section>
          ) : null}
          {design.isTakenDown ? (
            <TakenDown isOwner={design.isOwn} />
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-4 border-y border-line py-5">
              <PriceTag hasBack={design.has_back} />
              <NextStep design={design} colorId={color?.variant.id} />
            </div>
          )}
          <DesignDetails design={design} />
          <ShirtFacts />
        </div>
      </div>
    </div>
  );
}
