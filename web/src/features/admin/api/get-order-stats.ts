/** rpc get_order_stats: revenue, paid orders and new ones; the database holds the numbers. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";
import { type OrderStats, toOrderStats } from "../stats";

const schema = z.object({
  revenue_cents: z.number(),
  paid_orders: z.number(),
  new_this_week: z.number(),
});

async function getOrderStats(): Promise<OrderStats> {
  const supabase = await getSupabase();
  return toOrderStats(z.parse(schema, unwrap(await supabase.rpc("get_order_stats").single())));
}

export function useOrderStats() {
  return useQuery({ queryKey: [...ADMIN_KEY, "order-stats"], queryFn: getOrderStats });
}
