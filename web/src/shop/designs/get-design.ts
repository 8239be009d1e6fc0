/** designs: one row by id, as far as row security shows it to this visitor. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { isUuid } from "@/lib/text/is-uuid";
import { pictureAddress } from "./stored-pictures";

const schema = z.object({
  id: z.string(),
  name: z.string(),
  image_data: z.nullable(z.string()),
  thumbnail_data: z.nullable(z.string()),
  image_url: z.nullable(z.string()),
  printify_product_id: z.nullable(z.string()),
  selected_colors: z.nullable(z.array(z.string())),
  user_id: z.string(),
  has_back: z._default(z.boolean(), false),
  // null for all but the owner, and for admins
  link_key: z._default(z.nullable(z.string()), null),
  takedown_reason: z._default(z.nullable(z.string()), null),
});

/** `image_data` is the picture as base64, or its address. */
export type Design = Omit<z.infer<typeof schema>, "image_url">;

export function designNotFound(): ServiceError {
  return new ServiceError("Design not found", "design_not_found", 404);
}

/** The id in the address, if it can be one. */
export function requireDesignId(id: string | null | undefined): string {
  if (!id) throw new ServiceError("No design ID provided", "no_design_id", 400);
  if (!isUuid(id)) throw designNotFound();
  return id;
}

/** Null when there is no such row, or none that this visitor may read. */
export async function findDesign(id: string): Promise<Design | null> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("designs")
    .select(
      "id, name, image_data, thumbnail_data, image_url, printify_product_id, selected_colors, user_id, has_back, link_key, takedown_reason",
    )
    .eq("id", id)
    .maybeSingle();
  const row = z.parse(z.nullable(schema), unwrap(response));
  if (!row?.image_url) return row;
  return { ...row, image_data: await pictureAddress(row.image_url, row.link_key) };
}

export async function getDesign(id: string | null): Promise<Design> {
  const design = await findDesign(requireDesignId(id));
  if (!design) throw designNotFound();
  return design;
}

export function designQuery(id: string | null) {
  return queryOptions({ queryKey: ["design", id], queryFn: () => getDesign(id) });
}

export function useDesign(id: string | null) {
  return useQuery(designQuery(id));
}
