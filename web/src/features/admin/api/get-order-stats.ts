/** orders (total, status, created_at): all of them, for the figures. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { getSupabase } from "@/lib/supabase";
import { type OrderStats, orderStats } from "../stats";
import { readAll } from "./read-all";

const schema = z.array(
  z.object({
    total: z.coerce.number<number | string>(),
    status: z.string(),
    created_at: z.string(),
  }),
);

async function getOrderStats(): Promise<OrderStats> {
  const supabase = await getSupabase();
  const rows = await readAll((from, to) =>
    supabase
      .from("orders")
      .select("total, status, created_at")
      .order("created_at", { ascending: false })
      .range(from, to),
  );
  return orderStats(z.parse(schema, rows), new Date());
}

export function useOrderStats() {
  return useQuery({ queryKey: ["admin", "order-stats"], queryFn: getOrderStats });
}
