/** rpc get_user_stats: how many people there are, and what they spent; the database holds the numbers. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ANALYTICS_KEY } from "./get-user-analytics";

const schema = z.object({
  users: z.number(),
  admins: z.number(),
  new_this_week: z.number(),
  spent_cents: z.number(),
});

async function getUserStats() {
  const supabase = await getSupabase();
  return z.parse(schema, unwrap(await supabase.rpc("get_user_stats").single()));
}

export function useUserStats() {
  return useQuery({ queryKey: [...ANALYTICS_KEY, "stats"], queryFn: getUserStats });
}
