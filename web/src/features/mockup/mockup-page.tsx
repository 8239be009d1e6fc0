import { Share2 } from "lucide-react";
import { Link, useSearchParams } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { ColorSwatches } from "@/components/color-swatches";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { PriceTag } from "@/components/price-tag";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { errorMessage } from "@/lib/errors";
import { useSession } from "@/lib/session/session-provider";
import { type Design, useDesign } from "@/lib/shop/get-design";
import { useProductVariants } from "@/lib/shop/get-product-variants";
import { shareDesignLink } from "@/lib/shop/share-link";
import { type ColorGroup, colorGroups, groupOfVariant } from "@/lib/shop/variants";
import { DesignDetails } from "./components/design-details";
import { DesignPicture } from "./components/design-picture";
import { MockupViewer } from "./components/mockup-viewer";

export function MockupPage() {
  const [search] = useSearchParams();
  const design = useDesign(search.get("design"));
  const variants = useProductVariants();
  if (design.isError) {
    return (
      <MessagePage title="Design Not Found" text={errorMessage(design.error, "Design not found")}>
        <PageTitle>Design not found</PageTitle>
        <Button asChild>
          <Link to="/dashboard">Back to Dashboard</Link>
        </Button>
      </MessagePage>
    );
  }
  if (design.isPending || variants.isPending) return <MockupSkeleton />;
  return <Mockup design={design.data} groups={colorGroups(variants.data ?? [])} />;
}

function Mockup({ design, groups }: { design: Design; groups: ColorGroup[] }) {
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
        <Button variant="secondary" onClick={() => shareDesignLink(design.id)}>
          <Share2 aria-hidden="true" />
          Share
        </Button>
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-14">
        {productId && color ? (
          <MockupViewer
            productId={productId}
            printifyVariantId={color.variant.printify_variant_id}
            name={design.name}
            colorName={color.name}
          />
        ) : (
          <DesignPicture design={design} />
        )}
        <div className="flex flex-col gap-8 lg:sticky lg:top-28">
          {productId ? (
            <section aria-labelledby="choose-color">
              <h2 id="choose-color" className="mb-3 text-xl">
                Choose Color
              </h2>
              <ColorSwatches groups={groups} selected={color?.variant.id} onSelect={choose} />
            </section>
          ) : null}
          <div className="flex flex-wrap items-center justify-between gap-4 border-y border-line py-5">
            <PriceTag />
            {productId && color ? (
              <Button asChild size="lg">
                <Link to={`/order?design=${design.id}&color=${color.variant.id}`}>Order Now</Link>
              </Button>
            ) : (
              <Button size="lg" disabled>
                Processing...
              </Button>
            )}
          </div>
          <DesignDetails design={design} />
        </div>
      </div>
    </div>
  );
}

function MockupSkeleton() {
  return (
    <div role="status" className="shell py-8 sm:py-12">
      <span className="sr-only">Loading your design...</span>
      <Skeleton className="mt-10 mb-8 h-14 w-2/3" />
      <div className="grid gap-8 lg:grid-cols-[7fr_5fr] lg:gap-14">
        <Skeleton className="aspect-square" />
        <Skeleton className="h-80" />
      </div>
    </div>
  );
}
