/** designs: insert one with an uploaded picture, whose upload gives it its id. */
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

interface NewDesign {
  user_id: string;
  name: string;
  image_url: string;
  selected_colors: string[];
}

export async function insertDesign(id: string, design: NewDesign): Promise<void> {
  const supabase = await getSupabase();
  const answer = await supabase.from("designs").insert(design);
  if (!answer.error) return;
  // An earlier try may have saved it, with its answer lost on the way.
  const { data } = await supabase.from("designs").select("id").eq("id", id).maybeSingle();
  if (!data) unwrap(answer);
}
