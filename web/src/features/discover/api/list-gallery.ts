/**
 * The public gallery: public_designs newest first with their designs and their numbers of likes, then the creators'
 * public names. Names are decoration: without them the designs are still shown. A page begins after the last row of the
 * one before, not at an offset: deep pages cost the same, and newly published designs do not shift rows.
 */
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { preload } from "react-dom";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { type DataApi, getDataApi } from "@/lib/supabase/data-api";
import { pictureUrl } from "@/shop/designs/picture-url";
import { publicThumbnailUrl } from "@/shop/designs/stored-pictures";
import { GALLERY_KEY } from "@/shop/query-keys";

export const GALLERY_PAGE = 24;
/** A phone's first screen, a desktop's first row. */
export const FIRST_ROW = 4;
const FRESH_MS = 30_000;

const row = z.object({
  id: z.string(),
  user_id: z.string(),
  created_at: z.string(),
  like_count: z.nullable(z.number()),
  designs: z.object({
    id: z.string(),
    name: z.string(),
    has_thumbnail: z.nullable(z.boolean()),
    thumbnail_url: z.nullable(z.string()),
    printify_product_id: z.nullable(z.string()),
    selected_colors: z.nullable(z.array(z.string())),
    created_at: z.string(),
  }),
});

type Row = z.infer<typeof row>;

export interface GalleryItem {
  id: string;
  name: string;
  /** The small picture's address. */
  thumbnail: string | null;
  productId: string | null;
  colorId: string | undefined;
  publishedAt: string;
  creatorName: string;
  likeCount: number;
}

/** The row after which a page begins. */
interface Cursor {
  publishedAt: string;
  id: string;
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

export function creatorNamesRequest(api: DataApi, ids: string[]) {
  return api.from("profiles").select("id, public_name").in("id", ids);
}

async function creatorNames(api: DataApi, ids: string[]): Promise<Map<string, string>> {
  const { data } = await creatorNamesRequest(api, ids);
  return new Map(
    (data ?? []).map((profile) => [profile.id, profile.public_name?.trim() || "Anonymous"]),
  );
}

const COLUMNS =
  "id, user_id, created_at, like_count, designs!inner(id, name, has_thumbnail, thumbnail_url, printify_product_id, selected_colors, created_at)";
/** One more than is shown: the extra row means that there is a next page. */
const ROWS = GALLERY_PAGE + 1;

/** A search goes through the database's own function: it may use the index on names, where row security may not. */
function rowsOf(api: DataApi, search: string, after: Cursor | undefined) {
  if (search) {
    const from = after && { published_before: after.publishedAt, after_id: after.id };
    return api
      .rpc("search_public_designs", { search, ...from, page_size: ROWS }, { get: true })
      .select(COLUMNS);
  }
  const rows = api.from("public_designs").select(COLUMNS);
  if (!after) return rows;
  const { publishedAt, id } = after;
  return rows.lte("created_at", publishedAt).or(`created_at.lt."${publishedAt}",id.gt.${id}`);
}

function thumbnailOf({ id, designs: design }: Row): string | null {
  if (design.thumbnail_url) return publicThumbnailUrl(id);
  return design.has_thumbnail ? pictureUrl("design_thumbnail", design.id) : null;
}

/** The first pictures need not wait for names and likes. */
function preloadFirstRow(rows: Row[]): void {
  for (const each of rows.slice(0, FIRST_ROW)) {
    const thumbnail = thumbnailOf(each);
    if (thumbnail) preload(thumbnail, { as: "image", fetchPriority: "high" });
  }
}

export function galleryRequest(api: DataApi, search = "", after?: Cursor) {
  return rowsOf(api, search, after)
    .order("created_at", { ascending: false })
    .order("id", { ascending: true })
    .limit(ROWS);
}

export function totalRequest(api: DataApi, search = "") {
  return api.rpc("count_public_designs", { search }, { get: true }).maybeSingle();
}

async function listGallery(search: string, after: Cursor | undefined): Promise<GalleryPage> {
  const api = await getDataApi();
  // The number is decoration too.
  const counting = after ? undefined : totalRequest(api, search).then(({ data }) => data);
  const received = z.parse(z.array(row), unwrap(await galleryRequest(api, search, after)));
  const rows = received.slice(0, GALLERY_PAGE);
  if (!after) preloadFirstRow(rows);
  const [names, total] = await Promise.all([
    creatorNames(api, [...new Set(rows.map((each) => each.user_id))]),
    counting,
  ]);
  const items = rows.map((each) => ({
    id: each.designs.id,
    name: each.designs.name,
    thumbnail: thumbnailOf(each),
    productId: each.designs.printify_product_id,
    colorId: each.designs.selected_colors?.[0],
    publishedAt: each.created_at,
    creatorName: names.get(each.user_id) ?? "Anonymous",
    likeCount: each.like_count ?? 0,
  }));
  const last = received.length > rows.length ? rows.at(-1) : undefined;
  return {
    items,
    next: last && { publishedAt: last.created_at, id: last.id },
    total: total ?? undefined,
  };
}

export function galleryQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: [...GALLERY_KEY, search],
    queryFn: ({ pageParam }) => listGallery(search, pageParam),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: (last: GalleryPage) => last.next,
    staleTime: FRESH_MS,
  });
}

export function useGallery(search: string) {
  return useInfiniteQuery({ ...galleryQuery(search), placeholderData: keepPreviousData });
}

/** What the page says of their number: exact once all of them are here, else as the database counts them. */
export function galleryTotal(pages: readonly GalleryPage[]): Total | undefined {
  const loaded = pages.reduce((sum, page) => sum + page.items.length, 0);
  if (pages.length > 0 && !pages.at(-1)?.next) return { total: loaded, is_exact: true };
  const total = pages[0]?.total;
  // More than are here at least, should some have been published since they were counted.
  return total && { ...total, total: Math.max(total.total, loaded + 1) };
}
