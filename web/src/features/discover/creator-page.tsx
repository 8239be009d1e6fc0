import type { QueryClient } from "@tanstack/react-query";
import { type Params, useParams } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { LoadFailed } from "@/components/load-failed";
import { PageTitle } from "@/components/page-title";
import { isMissing } from "@/lib/errors/errors";
import { creatorQuery, useCreatorDesigns } from "./api/list-creator-designs";
import { GalleryGrid } from "./components/gallery-grid";
import { GallerySkeleton } from "./components/gallery-skeleton";
import { MissingCreator } from "./missing-creator";

/** What the page is drawn with at once, where it is here already. */
export function prepareCreator(client: QueryClient, { creatorId = "" }: Params) {
  return client.prefetchInfiniteQuery(creatorQuery(creatorId));
}

/** What one person has published, under their public name. */
export function CreatorPage() {
  const { creatorId = "" } = useParams();
  const designs = useCreatorDesigns(creatorId);
  if (designs.isLoadingError && isMissing(designs.error)) return <MissingCreator />;
  if (designs.isLoadingError) {
    return (
      <LoadFailed
        error={designs.error}
        retrying={designs.isFetching}
        onRetry={() => void designs.refetch()}
      />
    );
  }
  const pages = designs.data?.pages ?? [];
  const name = pages[0]?.creatorName;
  const items = pages.map((page) => page.items);
  return (
    <div className="shell py-8 sm:py-12">
      <PageTitle>{name ? `Designs by ${name}` : "Creator"}</PageTitle>
      <BackLink to="/discover">Back to Discover</BackLink>
      <div className="mt-4 mb-10 min-h-20">
        <p className="text-ink-soft">Designs by</p>
        <h1 className="display-2 wrap-anywhere">{name ?? " "}</h1>
      </div>
      {items.flat().length === 0 ? (
        <GallerySkeleton />
      ) : (
        <GalleryGrid
          pages={items}
          more={designs.hasNextPage ? () => designs.fetchNextPage() : undefined}
          loadingMore={designs.isFetchingNextPage}
        />
      )}
    </div>
  );
}
