/** rpc/keep_idea: keeps with a design what its picture was drawn from, so that more can be drawn of it later. */
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

/** The design is saved by then: without its idea it is as good a design. */
export async function keepIdea(designId: string, jobId: string): Promise<void> {
  try {
    const supabase = await getSupabase();
    unwrap(await supabase.rpc("keep_idea", { design: designId, job: jobId }));
  } catch (error) {
    console.warn("The design's idea could not be kept:", error);
  }
}
