/**
 * The public gallery: public_designs newest first with their designs, then the creators' public names, then the
 * likes. Names and likes are decoration: without them the designs are still shown.
 */
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { preload } from "react-dom";
import * as z from "zod/mini";
import { type DataApi, getDataApi } from "@/lib/data-api";
import { unwrap } from "@/lib/errors";
import { pictureUrl } from "@/shop/picture-url";
import { publicThumbnailUrl } from "@/shop/stored-pictures";

const GALLERY_PAGE = 24;
/** A phone's first screen, a desktop's first row. */
export const FIRST_ROW = 4;
const FRESH_MS = 30_000;

const row = z.object({
  id: z.string(),
  user_id: z.string(),
  created_at: z.string(),
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

export interface GalleryPage {
  items: GalleryItem[];
  total: number;
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

export function likesRequest(api: DataApi, ids: string[]) {
  return api.from("design_likes").select("design_id").in("design_id", ids);
}

async function likeCounts(api: DataApi, ids: string[]): Promise<Map<string, number>> {
  const { data } = await likesRequest(api, ids);
  const counts = new Map<string, number>();
  for (const like of data ?? []) counts.set(like.design_id, (counts.get(like.design_id) ?? 0) + 1);
  return counts;
}

const COLUMNS =
  "id, user_id, created_at, designs!inner(id, name, has_thumbnail, thumbnail_url, printify_product_id, selected_colors, created_at)";

/** A search goes through the database's own function: it may use the index on names, where row security may not. */
function rowsOf(api: DataApi, search: string) {
  return search
    ? api.rpc("search_public_designs", { search }, { get: true, count: "exact" }).select(COLUMNS)
    : api.from("public_designs").select(COLUMNS, { count: "exact" });
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

export function galleryRequest(api: DataApi, search = "", page = 0) {
  return rowsOf(api, search)
    .order("created_at", { ascending: false })
    .range(page * GALLERY_PAGE, (page + 1) * GALLERY_PAGE - 1);
}

async function listGallery(search: string, page: number): Promise<GalleryPage> {
  const api = await getDataApi();
  const answer = await galleryRequest(api, search, page);
  const rows = z.parse(z.array(row), unwrap(answer));
  if (page === 0) preloadFirstRow(rows);
  const [names, likes] = await Promise.all([
    creatorNames(api, [...new Set(rows.map((each) => each.user_id))]),
    likeCounts(
      api,
      rows.map((each) => each.designs.id),
    ),
  ]);
  const items = rows.map((each) => ({
    id: each.designs.id,
    name: each.designs.name,
    thumbnail: thumbnailOf(each),
    productId: each.designs.printify_product_id,
    colorId: each.designs.selected_colors?.[0],
    publishedAt: each.created_at,
    creatorName: names.get(each.user_id) ?? "Anonymous",
    likeCount: likes.get(each.designs.id) ?? 0,
  }));
  return { items, total: answer.count ?? items.length };
}

/** The first part of every gallery query's key, whatever was searched for. */
export const GALLERY_KEY = ["gallery"];

export function galleryQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: [...GALLERY_KEY, search],
    queryFn: ({ pageParam }) => listGallery(search, pageParam),
    initialPageParam: 0,
    getNextPageParam: (last: GalleryPage, pages: GalleryPage[]) =>
      pages.length * GALLERY_PAGE < last.total ? pages.length : undefined,
    staleTime: FRESH_MS,
  });
}

export function useGallery(search: string) {
  return useInfiniteQuery({ ...galleryQuery(search), placeholderData: keepPreviousData });
}
