/**
 * The design behind a share link, private or not, as the database shows it to this visitor. Its creator stays unnamed
 * unless they have a public name. The print product is read from the designs themselves, where row security shows it to
 * the owner, and to everybody while the design is public.
 */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors";
import { getSupabase, type Supabase } from "@/lib/supabase";

const schema = z.object({
  id: z.string(),
  name: z.string(),
  image_data: z.nullable(z.string()),
  thumbnail_data: z.nullable(z.string()),
  selected_colors: z.nullable(z.array(z.string())),
  created_at: z.string(),
  is_public: z.boolean(),
  published_at: z.nullable(z.string()),
  creator_name: z.nullable(z.string()),
  is_owner: z.boolean(),
});

export type SharedDesign = z.infer<typeof schema> & {
  creatorName: string;
  likeCount: number;
  productId: string | null;
};

async function readProductId(supabase: Supabase, id: string): Promise<string | null> {
  const answer = await supabase
    .from("designs")
    .select("printify_product_id")
    .eq("id", id)
    .maybeSingle();
  // The shirt is decoration: without it the picture is shown by itself.
  return answer.data?.printify_product_id ?? null;
}

async function getSharedDesign(id: string | undefined): Promise<SharedDesign> {
  if (!id) throw new ServiceError("Design ID is required", "no_design_id", 400);
  const supabase = await getSupabase();
  const row = unwrap(await supabase.rpc("get_shared_design", { id }).maybeSingle());
  if (!row) throw new ServiceError("Design not found", "design_not_found", 404);
  const found = z.parse(schema, row);
  const [productId, likes] = await Promise.all([
    found.is_public || found.is_owner ? readProductId(supabase, found.id) : null,
    supabase
      .from("design_likes")
      .select("id", { count: "exact", head: true })
      .eq("design_id", found.id),
  ]);
  return {
    ...found,
    productId,
    likeCount: likes.count ?? 0,
    creatorName: found.creator_name?.trim() || "Anonymous",
  };
}

export function useSharedDesign(id: string | undefined) {
  return useQuery({ queryKey: ["shared-design", id], queryFn: () => getSharedDesign(id) });
}
