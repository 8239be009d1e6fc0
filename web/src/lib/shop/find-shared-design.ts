/** get_shared_design: the design behind a share link, private or not, as the database shows it to this visitor. */
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

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

export type SharedDesignRow = z.infer<typeof schema>;

/** Null when there is no such design. */
export async function findSharedDesign(id: string): Promise<SharedDesignRow | null> {
  const supabase = await getSupabase();
  const answer = await supabase.rpc("get_shared_design", { id }).maybeSingle();
  return z.parse(z.nullable(schema), unwrap(answer));
}
