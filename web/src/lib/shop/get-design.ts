/** designs: one row by id, as far as row security shows it to this visitor. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

const schema = z.object({
  id: z.string(),
  name: z.string(),
  image_data: z.nullable(z.string()),
  thumbnail_data: z.nullable(z.string()),
  printify_product_id: z.nullable(z.string()),
  selected_colors: z.nullable(z.array(z.string())),
  user_id: z.string(),
});

export type Design = z.infer<typeof schema>;

export async function getDesign(id: string): Promise<Design> {
  const supabase = await getSupabase();
  const answer = await supabase
    .from("designs")
    .select("id, name, image_data, thumbnail_data, printify_product_id, selected_colors, user_id")
    .eq("id", id)
    .maybeSingle();
  // An id that cannot be one is a design that is not there.
  const row = answer.error?.code === "22P02" ? null : unwrap(answer);
  if (!row) throw new ServiceError("Design not found", "design_not_found", 404);
  return z.parse(schema, row);
}

export function useDesign(id: string | null) {
  return useQuery({
    queryKey: ["design", id],
    queryFn: () => {
      if (!id) throw new ServiceError("No design ID provided", "no_design_id", 400);
      return getDesign(id);
    },
  });
}
