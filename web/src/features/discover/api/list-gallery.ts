/**
 * The public gallery, newest or most liked first. A page begins after the last row of the one before, not at an offset: deep
 * pages cost the same, and newly published designs do not shift rows.
 */
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { preload } from "react-dom";
import { type DataApi, getGalleryApi } from "@/lib/supabase/data-api";
import {
  CARD_COLUMNS,
  type CardRow,
  cardRows,
  creatorNames,
  type GalleryItem,
  thumbnailOf,
  toItem,
} from "@/shop/gallery/gallery-items";
import { GALLERY_KEY } from "@/shop/query-keys";

export const GALLERY_PAGE = 24;
/** A phone's first screen, a desktop's first row. */
export const FIRST_ROW = 4;
const FRESH_MS = 30_000;

/** Which designs: of a search always the newest first. */
export interface Shown {
  search: string;
  mostLiked: boolean;
}

/** The row after which a page begins. */
interface Cursor {
  publishedAt: string;
  id: string;
  likes: number;
}

/** How many there are; not exact where counting them would take long. */
interface Total {
  total: number;
  is_exact: boolean;
}

export interface GalleryPage {
  items: GalleryItem[];
  /** Undefined on the last page. */
  next: Cursor | undefined;
  /** Of all pages; the first one brings it. */
  total: Total | undefined;
}

const NEWEST: Shown = { search: "", mostLiked: false };
/** One more than is shown: the extra row means that there is a next page. */
const ROWS = GALLERY_PAGE + 1;

/** A search goes through the database's own function: it may use the index on names, where row security may not. */
function newestRows(api: DataApi, search: string, after: Cursor | undefined) {
  if (search) {
    const from = after && { published_before: after.publishedAt, after_id: after.id };
    return api
      .rpc("search_public_designs", { search, ...from, page_size: ROWS }, { get: true })
      .select(CARD_COLUMNS);
  }
  const rows = api.from("public_designs").select(CARD_COLUMNS);
  if (!after) return rows;
  const { publishedAt, id } = after;
  return rows.lte("created_at", publishedAt).or(`created_at.lt."${publishedAt}",id.gt.${id}`);
}

function mostLikedRequest(api: DataApi, after: Cursor | undefined) {
  const from = after && {
    most_likes: after.likes,
    published_before: after.publishedAt,
    before_id: after.id,
  };
  return api
    .rpc("most_liked_designs", { ...from, page_size: ROWS }, { get: true })
    .select(CARD_COLUMNS)
    .order("like_count", { ascending: false })
    .order("created_at", { ascending: false })
    .order("id", { ascending: false });
}

export function galleryRequest(api: DataApi, { search, mostLiked } = NEWEST, after?: Cursor) {
  if (mostLiked && !search) return mostLikedRequest(api, after);
  return newestRows(api, search, after)
    .order("created_at", { ascending: false })
    .order("id", { ascending: true })
    .limit(ROWS);
}

export function totalRequest(api: DataApi, search = "") {
  return api.rpc("count_public_designs", { search }, { get: true }).maybeSingle();
}

/** The first pictures need not wait for names and likes. */
function preloadFirstRow(rows: CardRow[]): void {
  for (const each of rows.slice(0, FIRST_ROW)) {
    const thumbnail = thumbnailOf(each);
    if (thumbnail) preload(thumbnail, { as: "image", fetchPriority: "high" });
  }
}

async function listGallery(shown: Shown, after: Cursor | undefined): Promise<GalleryPage> {
  const api = await getGalleryApi();
  // The number is decoration too.
  const counting = after
    ? undefined
    : totalRequest(api, shown.search).then(({ data }) => data ?? undefined);
  const received = cardRows(await galleryRequest(api, shown, after));
  const rows = received.slice(0, GALLERY_PAGE);
  if (!after) preloadFirstRow(rows);
  const [names, total] = await Promise.all([creatorNames(api, rows), counting]);
  const last = received.length > rows.length ? rows.at(-1) : undefined;
  return {
    items: rows.map((each) => toItem(each, names)),
    next: last && { publishedAt: last.created_at, id: last.id, likes: last.like_count ?? 0 },
    total,
  };
}

export function galleryQuery(shown: Shown = NEWEST) {
  return infiniteQueryOptions({
    queryKey: [...GALLERY_KEY, shown],
    queryFn: ({ pageParam }) => listGallery(shown, pageParam),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: (last: GalleryPage) => last.next,
    staleTime: FRESH_MS,
    // Whoever comes back finds all the pages that were loaded.
    gcTime: Number.POSITIVE_INFINITY,
  });
}

export function useGallery(shown: Shown) {
  return useInfiniteQuery({ ...galleryQuery(shown), placeholderData: keepPreviousData });
}

/** A design that was liked or published meanwhile may come on two pages: it is shown once. */
export function onceEach(items: readonly GalleryItem[]): GalleryItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** What the page says of their number: exact once all of them are here, else as the database counts them. */
export function galleryTotal(pages: readonly GalleryPage[]): Total | undefined {
  const loaded = onceEach(pages.flatMap((page) => page.items)).length;
  if (pages.length > 0 && !pages.at(-1)?.next) return { total: loaded, is_exact: true };
  const total = pages[0]?.total;
  // More than are here at least, should some have been published since they were counted.
  return total && { ...total, total: Math.max(total.total, loaded + 1) };
}
