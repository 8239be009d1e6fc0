/** rpc get_order_progress: when an order of one's own came to each status, and whether something holds it up. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { orderQuery } from "@/shop/orders/get-order";

const schema = z.nullable(
  z.object({ steps: z.record(z.string(), z.nullable(z.string())), has_problem: z.boolean() }),
);

async function getOrderProgress(orderId: string) {
  const supabase = await getSupabase();
  return z.parse(schema, unwrap(await supabase.rpc("get_order_progress", { of_order: orderId })));
}

/** An addition to the order's page, which is shown without it too. Read anew with the order. */
export function useOrderProgress(orderId: string, userId: string) {
  return useQuery({
    queryKey: [...orderQuery(orderId, userId).queryKey, "progress"],
    queryFn: () => getOrderProgress(orderId),
  });
}
