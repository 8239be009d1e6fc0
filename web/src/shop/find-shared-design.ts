/** get_shared_design: the design behind a share link, private or not, as the database shows it to this visitor. */
import * as z from "zod/mini";
import { type DataApi, getDataApi } from "@/lib/data-api";
import { unwrap } from "@/lib/errors";
import { pictureUrl } from "./picture-url";

const schema = z.object({
  id: z.string(),
  name: z.string(),
  selected_colors: z.nullable(z.array(z.string())),
  created_at: z.string(),
  is_public: z.boolean(),
  published_at: z.nullable(z.string()),
  creator_name: z.nullable(z.string()),
  is_owner: z.boolean(),
});

export type SharedDesignRow = z.infer<typeof schema> & {
  /** Addresses, where the owner's own rows hold the pictures themselves. */
  image_data: string;
  thumbnail_data: null;
};

export function sharedDesignRequest(api: DataApi, id: string) {
  return api
    .rpc("get_shared_design", { id }, { get: true })
    .select(
      "id, name, selected_colors, created_at, is_public, published_at, creator_name, is_owner",
    )
    .maybeSingle();
}

/** Null when there is no such design. */
export async function findSharedDesign(id: string): Promise<SharedDesignRow | null> {
  const answer = await sharedDesignRequest(await getDataApi(), id);
  const row = z.parse(z.nullable(schema), unwrap(answer));
  return row && { ...row, image_data: pictureUrl("design_picture", id), thumbnail_data: null };
}
