/**
 * The cards of public designs, from rows of public_designs with their designs and numbers of likes, and the creators' public
 * names. Names are decoration: without them the designs are still shown.
 */
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import type { DataApi } from "@/lib/supabase/data-api";
import { pictureUrl } from "@/shop/designs/picture-url";
import { publicThumbnailUrl } from "@/shop/designs/stored-pictures";

export const CARD_COLUMNS =
  "id, user_id, created_at, like_count, designs!inner(id, name, has_thumbnail, thumbnail_url, printify_product_id, selected_colors, created_at)";

const schema = z.object({
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

export type CardRow = z.infer<typeof schema>;

export interface GalleryItem {
  id: string;
  name: string;
  /** The small picture's address. */
  thumbnail: string | null;
  productId: string | null;
  colorId: string | undefined;
  publishedAt: string;
  creatorId: string;
  creatorName: string;
  likeCount: number;
}

export function cardRows(response: Parameters<typeof unwrap>[0]): CardRow[] {
  return z.parse(z.array(schema), unwrap(response));
}

export function creatorNamesRequest(api: DataApi, ids: string[]) {
  return api.from("profiles").select("id, public_name").in("id", ids);
}

/** By id; nobody in it whose name could not be read, or who has none. */
export async function creatorNames(api: DataApi, rows: CardRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map((each) => each.user_id))];
  const { data } = await creatorNamesRequest(api, ids);
  const named = (data ?? []).filter((profile) => profile.public_name?.trim());
  return new Map(named.map(({ id, public_name }) => [String(id), String(public_name).trim()]));
}

export function thumbnailOf({ id, designs: design }: CardRow): string | null {
  if (design.thumbnail_url) return publicThumbnailUrl(id);
  return design.has_thumbnail ? pictureUrl("design_thumbnail", design.id) : null;
}

export function toItem(row: CardRow, names: ReadonlyMap<string, string>): GalleryItem {
  return {
    id: row.designs.id,
    name: row.designs.name,
    thumbnail: thumbnailOf(row),
    productId: row.designs.printify_product_id,
    colorId: row.designs.selected_colors?.[0],
    publishedAt: row.created_at,
    creatorId: row.user_id,
    creatorName: names.get(row.user_id) ?? "Anonymous",
    likeCount: row.like_count ?? 0,
  };
}
