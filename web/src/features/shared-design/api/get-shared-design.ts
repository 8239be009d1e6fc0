/**
 * The design behind a share link, private or not, with its publication and its creator's public name. A design
 * without a publication is private; its creator stays unnamed unless they have a public name.
 */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

const design = z.object({
  id: z.string(),
  name: z.string(),
  image_data: z.nullable(z.string()),
  thumbnail_data: z.nullable(z.string()),
  printify_product_id: z.nullable(z.string()),
  selected_colors: z.nullable(z.array(z.string())),
  user_id: z.string(),
  created_at: z.string(),
});

const publication = z.nullable(z.object({ user_id: z.string(), created_at: z.string() }));

export type SharedDesign = z.infer<typeof design> & {
  isPublic: boolean;
  publishedAt: string;
  creatorName: string;
  likeCount: number;
};

async function getSharedDesign(id: string | undefined): Promise<SharedDesign> {
  if (!id) throw new ServiceError("Design ID is required", "no_design_id", 400);
  const supabase = await getSupabase();
  const row = unwrap(await supabase.rpc("get_shared_design", { id }).maybeSingle());
  if (!row) throw new ServiceError("Design not found", "design_not_found", 404);
  const found = z.parse(design, row);
  const [published, creator, likes] = await Promise.all([
    supabase.from("public_designs").select("user_id, created_at").eq("design_id", id).maybeSingle(),
    supabase.rpc("get_design_creator_public_name", { creator_user_id: found.user_id }),
    supabase.from("design_likes").select("id", { count: "exact", head: true }).eq("design_id", id),
  ]);
  const publicRow = z.parse(publication, unwrap(published));
  return {
    ...found,
    isPublic: publicRow !== null,
    publishedAt: publicRow?.created_at ?? found.created_at,
    likeCount: likes.count ?? 0,
    // The name is decoration: without it the design is by Anonymous.
    creatorName: creator.data?.trim() || "Anonymous",
  };
}

export function useSharedDesign(id: string | undefined) {
  return useQuery({ queryKey: ["shared-design", id], queryFn: () => getSharedDesign(id) });
}
