/** rpc get_design_stats: how many designs there are, and how many of them are new; the database holds the numbers. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";

const schema = z.object({ total: z.number(), printable: z.number(), new_this_week: z.number() });

async function getDesignStats() {
  const supabase = await getSupabase();
  return z.parse(schema, unwrap(await supabase.rpc("get_design_stats").single()));
}

export function useDesignStats() {
  return useQuery({ queryKey: [...ADMIN_KEY, "design-stats"], queryFn: getDesignStats });
}
