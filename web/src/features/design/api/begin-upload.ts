/** design_uploads: permission to upload a design's picture. Its id will be the design's. */
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

export async function beginUpload(userId: string): Promise<string> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("design_uploads")
    .insert({ user_id: userId })
    .select("id")
    .single();
  return z.parse(z.object({ id: z.string() }), unwrap(response)).id;
}
