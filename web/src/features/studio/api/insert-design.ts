/** designs: insert one, returning its id. */
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

interface NewDesign {
  user_id: string;
  name: string;
  image_data: string;
  thumbnail_data: string | null;
  selected_colors: string[];
}

export async function insertDesign(design: NewDesign): Promise<string> {
  const supabase = await getSupabase();
  const answer = await supabase.from("designs").insert(design).select("id").single();
  return z.parse(z.object({ id: z.string() }), unwrap(answer)).id;
}
