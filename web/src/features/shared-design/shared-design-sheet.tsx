import { Lock, Share2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router-dom";
import { LikeButton } from "@/components/gallery/like-button";
import { NewLink } from "@/components/new-link";
import { PageTitle } from "@/components/page-title";
import { ReportDesign } from "@/components/report/report-design";
import { ColoredShirt } from "@/components/shirt/colored-shirt";
import { ShirtOffer } from "@/components/shirt/shirt-offer";
import { TakenDown } from "@/components/taken-down";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { signInPath } from "@/lib/browser/redirect";
import { useSession } from "@/lib/session/session-provider";
import { formatDate } from "@/lib/text/format";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups, groupOfVariant, sizesOfColor } from "@/shop/catalog/variants";
import { mockupUrl } from "@/shop/designs/mockup-url";
import { shareDesignLink } from "@/shop/designs/share-link";
import { useImport } from "@/shop/designs/use-import";
import { useLikes } from "@/shop/gallery/use-likes";
import type { SharedDesign } from "./api/get-shared-design";
import { SheetLayout } from "./sheet-layout";
import { useImportOnArrival } from "./use-import-on-arrival";

/** The shirt as it would be bought: photographed in the design's own color, and what the visitor has chosen. */
function useShirt(design: SharedDesign) {
  const [search] = useSearchParams();
  const [chosenId, choose] = useState(search.get("color"));
  const variants = useProductVariants().data ?? [];
  const groups = colorGroups(variants);
  const own = groupOfVariant(groups, design.selected_colors?.[0]);
  const chosen = groupOfVariant(groups, chosenId);
  const color = chosen ?? own ?? groups[0];
  return {
    groups,
    own,
    chosen,
    color,
    choose,
    sizes: color ? sizesOfColor(variants, color.name) : [],
    mockup:
      design.productId && own
        ? mockupUrl({
            productId: design.productId,
            printifyVariantId: own.variant.printify_variant_id,
          })
        : undefined,
  };
}

export function SharedDesignSheet({ design }: { design: SharedDesign }) {
  const shirt = useShirt(design);
  const pictures = [design.image_data, design.thumbnail_data];

  return (
    <SheetLayout
      picture={
        <ColoredShirt
          name={design.name}
          mockup={shirt.mockup}
          photographed={shirt.own}
          color={shirt.chosen ?? (shirt.mockup ? shirt.own : undefined)}
          pictures={pictures}
        />
      }
    >
      <PageTitle>{design.name.slice(0, 60)}</PageTitle>
      <Heading design={design} />
      {design.isTakenDown ? (
        <TakenDown isOwner={design.is_owner} />
      ) : (
        <Offer design={design} shirt={shirt} pictures={pictures} />
      )}
    </SheetLayout>
  );
}

interface OfferProps {
  design: SharedDesign;
  shirt: ReturnType<typeof useShirt>;
  pictures: (string | null)[];
}

/** What can be bought, and what one may do besides. */
function Offer({ design, shirt, pictures }: OfferProps) {
  const { importing, ordering, importDesign, importNow, orderNow } = useImport(design.id);
  useImportOnArrival(importDesign);
  return (
    <>
      <ShirtOffer
        groups={shirt.groups}
        color={shirt.color}
        sizes={shirt.sizes}
        pictures={pictures}
        onChoose={(group) => shirt.choose(group.variant.id)}
      />
      <div className="flex w-full flex-wrap gap-4">
        <Button
          size="lg"
          className="grow"
          busy={ordering}
          disabled={importing}
          onClick={() => orderNow(shirt.color?.variant.id)}
        >
          Order this shirt
        </Button>
        <Button
          size="lg"
          variant="secondary"
          className="grow"
          busy={importing}
          disabled={ordering}
          onClick={importNow}
        >
          {importing ? "Importing Design..." : "Use This Design"}
        </Button>
      </div>
      <Aside design={design} />
    </>
  );
}

function Heading({ design }: { design: SharedDesign }) {
  const { creatorId, creatorName } = design;
  return (
    <div className="flex flex-col items-start gap-2">
      <Visibility design={design} />
      <h1 className="display-3 line-clamp-6 wrap-anywhere">{design.name}</h1>
      <p className="text-ink-soft">
        by{" "}
        {creatorId ? (
          <Link
            to={`/creator/${creatorId}`}
            className="font-bold text-ink underline-offset-4 hover:underline"
          >
            {creatorName}
          </Link>
        ) : (
          <strong className="text-ink">{creatorName}</strong>
        )}
        , {formatDate(design.published_at ?? design.created_at)}
      </p>
      {design.is_public || design.isTakenDown ? null : (
        <p className="text-ink-soft">This is a private design shared via link</p>
      )}
      {design.is_owner && !design.is_public && !design.isTakenDown ? (
        <p className="text-ink-soft">
          {design.linkKey
            ? "Only those who have its new link can see it."
            : "Anyone with the link can still see it."}{" "}
          <NewLink designId={design.id} />
        </p>
      ) : null}
    </div>
  );
}

function Visibility({ design }: { design: SharedDesign }) {
  if (design.is_public) return null;
  if (design.isTakenDown) return <Badge tone="red">Taken down</Badge>;
  return (
    <Badge tone="grey" className="before:hidden">
      <Lock aria-hidden="true" className="size-3" />
      Private
    </Badge>
  );
}

/** What one may do besides buying. */
function Aside({ design }: { design: SharedDesign }) {
  const { user } = useSession();
  const location = useLocation();
  const likes = useLikes(design.is_public ? [[design.id]] : []);
  return (
    <>
      <p className="text-sm text-ink-soft">
        Either way a copy comes into your collection. Order it as it is, or use it to look at it
        from all sides first.
      </p>
      <div className="flex w-full flex-wrap items-center gap-2">
        {design.is_public ? (
          <LikeButton item={design} likes={likes} className="border border-line px-3" />
        ) : null}
        <Button
          variant="ghost"
          size="sm"
          className="h-10 border border-line"
          onClick={() => shareDesignLink(design.id, undefined, design.linkKey)}
        >
          <Share2 aria-hidden="true" />
          Share
        </Button>
        <Link
          to={user ? "/dashboard" : signInPath(location)}
          className="ml-auto font-semibold text-cobalt-text underline underline-offset-4"
        >
          Create your own design
        </Link>
      </div>
      {design.is_owner ? null : <ReportDesign designId={design.id} linkKey={design.linkKey} />}
    </>
  );
}
