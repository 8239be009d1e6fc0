import type { QueryClient } from "@tanstack/react-query";
import { Heart, Lock, Share2 } from "lucide-react";
import { Link, type Params, useLocation, useParams } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { LoadFailed } from "@/components/load-failed";
import { NewLink } from "@/components/new-link";
import { PageTitle } from "@/components/page-title";
import { ReportDesign } from "@/components/report/report-design";
import { ShirtStandIn } from "@/components/shirt-stand-in";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { imageSource } from "@/lib/browser/image-source";
import { signInPath } from "@/lib/browser/redirect";
import { isMissing } from "@/lib/errors/errors";
import { useSession } from "@/lib/session/session-provider";
import { formatDate } from "@/lib/text/format";
import { productVariantsQuery, useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups, groupOfVariant } from "@/shop/catalog/variants";
import { mockupUrl } from "@/shop/designs/mockup-url";
import { shareDesignLink } from "@/shop/designs/share-link";
import { useImport } from "@/shop/designs/use-import";
import { type SharedDesign, sharedDesignQuery, useSharedDesign } from "./api/get-shared-design";
import { MissingDesign, RemovedDesign } from "./missing-design";
import { SharedDesignSkeleton } from "./shared-design-skeleton";
import { SheetLayout } from "./sheet-layout";
import { useImportOnArrival } from "./use-import-on-arrival";

/** What the page is drawn with at once, where it is here already. */
export async function prepareSharedDesign(client: QueryClient, { designId }: Params) {
  await Promise.all([
    client.prefetchQuery(sharedDesignQuery(designId)),
    client.prefetchQuery(productVariantsQuery),
  ]);
}

export function SharedDesignPage() {
  const { designId } = useParams();
  const design = useSharedDesign(designId);
  if (design.isPending) return <SharedDesignSkeleton />;
  if (design.isLoadingError && !isMissing(design.error)) {
    return (
      <LoadFailed
        error={design.error}
        retrying={design.isFetching}
        onRetry={() => void design.refetch()}
      />
    );
  }
  if (design.isLoadingError) return wasRemoved(designId) ? <RemovedDesign /> : <MissingDesign />;
  return <SharedDesignSheet design={design.data} />;
}

/** The server has answered this address with the page of a design that was taken down. */
function wasRemoved(id: string | undefined): boolean {
  const mark = document.querySelector<HTMLMetaElement>("meta[name='teesmith-removed']");
  return mark !== null && mark.content === id;
}

/** The print provider's picture, once the catalog says which variant it is of. */
function useShirt(design: SharedDesign) {
  const variants = useProductVariants();
  const color = groupOfVariant(colorGroups(variants.data ?? []), design.selected_colors?.[0]);
  if (!design.productId || !color) return undefined;
  const mockup = mockupUrl({
    productId: design.productId,
    printifyVariantId: color.variant.printify_variant_id,
  });
  return { mockup, color: color.hex };
}

function SharedDesignSheet({ design }: { design: SharedDesign }) {
  const { user } = useSession();
  const location = useLocation();
  const { importing, importNow } = useImport(design.id);
  useImportOnArrival(importNow);
  const shirt = useShirt(design);
  const pictures = [design.image_data, design.thumbnail_data];

  return (
    <SheetLayout
      picture={
        <ImageFrame
          eager
          sources={[shirt?.mockup, ...pictures.map(imageSource)]}
          standIn={shirt ? <ShirtStandIn pictures={pictures} color={shirt.color} /> : undefined}
          alt={design.name}
          size={800}
          empty="Preview unavailable"
          className="halftone rounded-card border border-line"
        />
      }
    >
      <PageTitle>{design.name.slice(0, 60)}</PageTitle>
      {design.is_public ? null : (
        <Badge tone="grey" className="before:hidden">
          <Lock aria-hidden="true" className="size-3" />
          Private
        </Badge>
      )}
      <h1 className="display-3 line-clamp-6 wrap-anywhere">{design.name}</h1>
      <p className="text-ink-soft">
        by <strong className="text-ink">{design.creatorName}</strong>,{" "}
        {formatDate(design.published_at ?? design.created_at)}
      </p>
      {design.is_public ? (
        <p className="flex items-center gap-1.5 text-sm text-ink-soft tabular-nums">
          <Heart aria-hidden="true" className="size-4" />
          {design.likeCount} {design.likeCount === 1 ? "like" : "likes"}
        </p>
      ) : (
        <p className="text-ink-soft">This is a private design shared via link</p>
      )}
      {design.is_owner && !design.is_public ? (
        <p className="text-ink-soft">
          {design.linkKey
            ? "Only those who have its new link can see it."
            : "Anyone with the link can still see it."}{" "}
          <NewLink designId={design.id} />
        </p>
      ) : null}
      <div className="flex flex-wrap gap-4">
        <Button size="lg" busy={importing} onClick={importNow}>
          {importing ? "Importing Design..." : "Use This Design"}
        </Button>
        <Button
          size="lg"
          variant="secondary"
          onClick={() => shareDesignLink(design.id, undefined, design.linkKey)}
        >
          <Share2 aria-hidden="true" />
          Share
        </Button>
      </div>
      <p className="text-sm text-ink-soft">
        This is how you get the shirt: we put a copy among your designs, and there you choose its
        color and your size, and order it.
      </p>
      <Link
        to={user ? "/dashboard" : signInPath(location)}
        className="font-semibold text-cobalt-text underline underline-offset-4"
      >
        Create your own design
      </Link>
      {design.is_owner ? null : <ReportDesign designId={design.id} linkKey={design.linkKey} />}
    </SheetLayout>
  );
}
