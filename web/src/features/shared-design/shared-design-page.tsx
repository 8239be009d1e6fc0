import type { QueryClient } from "@tanstack/react-query";
import { type Params, useParams } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { isMissing } from "@/lib/errors/errors";
import { productVariantsQuery } from "@/shop/catalog/get-product-variants";
import { sharedDesignQuery, useSharedDesign } from "./api/get-shared-design";
import { MissingDesign, RemovedDesign } from "./missing-design";
import { MoreLikeThis } from "./more-like-this";
import { SharedDesignSheet } from "./shared-design-sheet";
import { SharedDesignSkeleton } from "./shared-design-skeleton";

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
  return (
    // a state of its own for each design: the next one has other colors
    <div key={design.data.id}>
      <SharedDesignSheet
        design={{
          ...design.data,
          // the admin, who sees it too, has no other sign of it
          isTakenDown: design.data.isTakenDown || (!design.data.is_public && wasRemoved(designId)),
        }}
      />
      {design.data.is_public ? <MoreLikeThis designId={design.data.id} /> : null}
    </div>
  );
}

/** The server has answered this address with the page of a design that was taken down. */
function wasRemoved(id: string | undefined): boolean {
  const mark = document.querySelector<HTMLMetaElement>("meta[name='teesmith-removed']");
  return mark !== null && mark.content === id;
}
