/** ask_for_review: puts a design that shows its owner's own pictures among the cases that admins decide. */
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

// a rule of the database has refused the row
const REFUSED = "23514";

/** Whether a refused publication waits for an admin now, rather than having failed. */
export async function askForReview(design: string, refusal: unknown): Promise<boolean> {
  if (!(refusal instanceof ServiceError) || refusal.code !== REFUSED) return false;
  const supabase = await getSupabase();
  return unwrap(await supabase.rpc("ask_for_review", { design })) === true;
}
