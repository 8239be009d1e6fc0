import type { QueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/browser/use-debounced";
import { errorMessage } from "@/lib/errors/errors";
import { formatNumber } from "@/lib/text/format";
import { FIRST_ROW, galleryQuery, galleryTotal, useGallery } from "./api/list-gallery";
import { DesignDialog } from "./components/design-dialog";
import { GalleryCard } from "./components/gallery-card";
import { useLikes } from "./use-like";

const DEBOUNCE_MS = 300;
const SKELETONS = Array.from({ length: 12 }, (_, index) => index);
const END_MESSAGE_OVER = 12;
/** Reserves the line's height until the number is known. */
const NO_BREAK_SPACE = "\u00a0";

const grid = "grid grid-cols-2 gap-x-4 gap-y-8 sm:gap-x-6 md:grid-cols-3 lg:grid-cols-4";

/** What the page is drawn with at once, where it is here already. */
export function prepareDiscover(client: QueryClient) {
  return client.prefetchInfiniteQuery(galleryQuery(""));
}

export function DiscoverPage() {
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim(), DEBOUNCE_MS);
  const gallery = useGallery(search);
  const pages = gallery.data?.pages ?? [];
  const items = pages.flatMap((page) => page.items);
  const total = galleryTotal(pages);
  const likes = useLikes(pages.map((page) => page.items.map((item) => item.id)));
  const [openId, setOpenId] = useState<string>();

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
      </div>
      {gallery.isPending ? (
        <ul className={grid} aria-label="Loading designs">
          {SKELETONS.map((place) => (
            <li key={place}>
              <Skeleton
                data-placeholder
                className="aspect-square overflow-hidden rounded-card border border-line"
              />
              <Skeleton className="mt-3 h-5 w-3/4" />
              <Skeleton className="mt-1.5 h-4 w-1/2" />
              <Skeleton className="mt-3 mb-2 h-5 w-full" />
            </li>
          ))}
        </ul>
      ) : gallery.isError ? (
        <div role="alert" className="flex flex-col items-center gap-4 py-16 text-center">
          <p className="font-medium text-tomato-text">
            {errorMessage(gallery.error, "The gallery could not be loaded. Please try again.")}
          </p>
          <Button variant="secondary" busy={gallery.isFetching} onClick={() => gallery.refetch()}>
            Try Again
          </Button>
        </div>
      ) : items.length === 0 ? (
        <p className="py-16 text-center text-ink-soft">
          {search
            ? "No designs found matching your search."
            : "No public designs yet. Be the first to share!"}
        </p>
      ) : (
        <>
          <ul className={grid} aria-busy={gallery.isPlaceholderData}>
            {items.map((item, index) => (
              <GalleryCard
                key={item.id}
                item={item}
                likes={likes}
                first={index < FIRST_ROW}
                onOpen={() => setOpenId(item.id)}
              />
            ))}
          </ul>
          <div className="mt-12 flex justify-center text-center">
            {gallery.hasNextPage ? (
              <Button
                variant="secondary"
                busy={gallery.isFetchingNextPage}
                onClick={() => gallery.fetchNextPage()}
              >
                Load More Designs
              </Button>
            ) : items.length > END_MESSAGE_OVER ? (
              <p className="text-ink-soft">
                You've seen all {items.length} designs. Check back later for more!
              </p>
            ) : null}
          </div>
        </>
      )}
      <DesignDialog
        item={items.find((item) => item.id === openId)}
        likes={likes}
        onClose={() => setOpenId(undefined)}
      />
    </div>
  );
}
