import type { QueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useNavigation, useSearchParams } from "react-router-dom";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { useDebounced } from "@/lib/browser/use-debounced";
import { errorMessage } from "@/lib/errors/errors";
import { formatNumber } from "@/lib/text/format";
import { galleryQuery, galleryTotal, useGallery } from "./api/list-gallery";
import { GalleryGrid } from "./components/gallery-grid";
import { GallerySkeleton } from "./components/gallery-skeleton";
import { SortChoice } from "./components/sort-choice";

const DEBOUNCE_MS = 300;
const END_MESSAGE_OVER = 12;
/** Reserves the line's height until the number is known. */
const NO_BREAK_SPACE = "\u00a0";

/** What the page is drawn with at once, where it is here already. */
export function prepareDiscover(client: QueryClient) {
  return client.prefetchInfiniteQuery(galleryQuery());
}

/** The words and the order stand in the address, so that whoever comes back finds them. */
function useShown() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get("search") ?? "");
  const search = useDebounced(typed.trim(), DEBOUNCE_MS);
  const mostLiked = params.get("sort") === "likes";

  const note = useEffectEvent((name: "search" | "sort", value: string) => {
    if ((params.get(name) ?? "") === value) return;
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  });
  // Writing the address would end a navigation that is under way, such as the way to sign in.
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (isIdle) note("search", search);
  }, [search, isIdle]);

  return {
    typed,
    setTyped,
    search,
    mostLiked,
    sort: (likes: boolean) => note("sort", likes ? "likes" : ""),
  };
}

export function DiscoverPage() {
  const { typed, setTyped, search, mostLiked, sort } = useShown();
  const gallery = useGallery({ search, mostLiked: mostLiked && search === "" });
  const pages = gallery.data?.pages ?? [];
  const total = galleryTotal(pages);
  const shown = pages.flatMap((page) => page.items).length;

  return (
    <div className="shell py-8 sm:py-12">
      <PageTitle>Discover designs</PageTitle>
      <div className="mb-10 flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
        <div>
          <h1 className="display-2">Discover Designs</h1>
          <p className="mt-2 text-ink-soft tabular-nums">
            {total
              ? `${total.is_exact ? "" : "about "}${formatNumber(total.total)} ${total.total === 1 ? "design" : "designs"}`
              : NO_BREAK_SPACE}
          </p>
        </div>
        <div className="flex w-full flex-col gap-3 sm:w-auto sm:flex-row-reverse sm:items-center">
          <div className="relative w-full sm:w-80">
            <Search aria-hidden="true" className="absolute top-3 left-3.5 size-5 text-ink-soft" />
            <Input
              type="search"
              aria-label="Search designs"
              placeholder="Search designs..."
              className="pl-11"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <SortChoice mostLiked={mostLiked} searching={typed.trim() !== ""} onSort={sort} />
        </div>
      </div>
      {gallery.isPending ? (
        <GallerySkeleton />
      ) : gallery.isError ? (
        <div role="alert" className="flex flex-col items-center gap-4 py-16 text-center">
          <p className="font-medium text-tomato-text">
            {errorMessage(gallery.error, "The gallery could not be loaded. Please try again.")}
          </p>
          <Button variant="secondary" busy={gallery.isFetching} onClick={() => gallery.refetch()}>
            Try Again
          </Button>
        </div>
      ) : shown === 0 ? (
        <p className="py-16 text-center text-ink-soft">
          {search
            ? "No designs found matching your search."
            : "No public designs yet. Be the first to share!"}
        </p>
      ) : (
        <GalleryGrid
          pages={pages.map((page) => page.items)}
          busy={gallery.isPlaceholderData}
          more={gallery.hasNextPage ? () => gallery.fetchNextPage() : undefined}
          loadingMore={gallery.isFetchingNextPage}
          end={
            total && total.total > END_MESSAGE_OVER ? (
              <p className="text-ink-soft">
                You've seen all {total.total} designs. Check back later for more!
              </p>
            ) : null
          }
        />
      )}
    </div>
  );
}
