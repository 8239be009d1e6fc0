/** get_shared_design: the design behind a share link, private or not, as the database shows it to this visitor. */
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { type DataApi, getDataApi } from "@/lib/supabase/data-api";
import { findOwnLink, type OwnLink } from "./link-key";
import { pictureUrl } from "./picture-url";
import { pictureAddress } from "./stored-pictures";

const schema = z.object({
  id: z.string(),
  name: z.string(),
  selected_colors: z.nullable(z.array(z.string())),
  created_at: z.string(),
  is_public: z.boolean(),
  published_at: z.nullable(z.string()),
  creator_name: z.nullable(z.string()),
  is_owner: z.boolean(),
  image_url: z.nullable(z.string()),
});

export type SharedDesignRow = z.infer<typeof schema> &
  OwnLink & {
    /** Addresses, where the owner's own rows may hold the pictures themselves. */
    image_data: string | null;
    thumbnail_data: null;
  };

export function sharedDesignRequest(api: DataApi, id: string, key: string | null = null) {
  return api
    .rpc("get_shared_design", key ? { id, key } : { id }, { get: true })
    .select(
      "id, name, selected_colors, created_at, is_public, published_at, creator_name, is_owner, image_url",
    )
    .maybeSingle();
}

/** Null when there is no such design. */
export async function findSharedDesign(
  id: string,
  key: string | null = null,
): Promise<SharedDesignRow | null> {
  const response = await sharedDesignRequest(await getDataApi(), id, key);
  const row = z.parse(z.nullable(schema), unwrap(response));
  if (!row) return null;
  const link =
    row.is_owner && !row.is_public
      ? await findOwnLink(id)
      : { linkKey: row.is_public ? null : key, isTakenDown: false };
  const address = row.image_url
    ? await pictureAddress(row.image_url, link.linkKey)
    : pictureUrl("design_picture", id, link.linkKey);
  return { ...row, ...link, image_data: address, thumbnail_data: null };
}
