import { Link, useParams } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { LoadFailed } from "@/components/load-failed";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { isMissing } from "@/lib/errors/errors";
import { useCreatorDesigns } from "./api/list-creator-designs";
import { GalleryGrid } from "./components/gallery-grid";
import { GallerySkeleton } from "./components/gallery-skeleton";

/** What one person has published, under their public name. */
export function CreatorPage() {
  const { creatorId = "" } = useParams();
  const designs = useCreatorDesigns(creatorId);
  if (designs.isLoadingError && isMissing(designs.error)) {
    return (
      <MessagePage
        title="Creator Not Found"
        text="Nobody with designs in our gallery has this address."
      >
        <PageTitle>Creator not found</PageTitle>
        <Button asChild>
          <Link to="/discover">Back to Discover</Link>
        </Button>
      </MessagePage>
    );
  }
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
  return (
    <div className="shell py-8 sm:py-12">
      <PageTitle>{name ? `Designs by ${name}` : "Creator"}</PageTitle>
      <BackLink to="/discover">Back to Discover</BackLink>
      <div className="mt-4 mb-10 min-h-20">
        <p className="text-ink-soft">Designs by</p>
        <h1 className="display-2 wrap-anywhere">{name ?? " "}</h1>
      </div>
      {designs.isPending ? (
        <GallerySkeleton />
      ) : (
        <GalleryGrid
          pages={pages.map((page) => page.items)}
          more={designs.hasNextPage ? () => designs.fetchNextPage() : undefined}
          loadingMore={designs.isFetchingNextPage}
        />
      )}
    </div>
  );
}
