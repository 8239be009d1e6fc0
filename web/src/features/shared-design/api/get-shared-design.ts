/**
 * The design behind a share link, private or not, as the database shows it to this visitor. Its creator stays unnamed
 * unless they have a public name. The print product is read from the designs themselves, where row security shows it to
 * the owner, and to everybody while the design is public.
 */
import { useQuery } from "@tanstack/react-query";
import { ServiceError } from "@/lib/errors";
import { isUuid } from "@/lib/is-uuid";
import { findSharedDesign, type SharedDesignRow } from "@/lib/shop/find-shared-design";
import { designNotFound } from "@/lib/shop/get-design";
import { getSupabase, type Supabase } from "@/lib/supabase";

export type SharedDesign = SharedDesignRow & {
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
  const found = isUuid(id) ? await findSharedDesign(id) : null;
  if (!found) throw designNotFound();
  const supabase = await getSupabase();
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
