/** designs: inserts a design with an uploaded picture. The upload's id becomes the design's id. */
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

interface NewDesign {
  user_id: string;
  name: string;
  image_url: string;
  selected_colors: string[];
  style: string | null;
}

export async function insertDesign(id: string, design: NewDesign): Promise<void> {
  const supabase = await getSupabase();
  const response = await supabase.from("designs").insert(design);
  if (!response.error) return;
  // An earlier attempt may have saved it, but its response was lost.
  const { data } = await supabase.from("designs").select("id").eq("id", id).maybeSingle();
  if (!data) unwrap(response);
}
