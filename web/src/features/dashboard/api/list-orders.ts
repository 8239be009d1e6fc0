/** orders: the visitor's own, newest first. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors";
import { useLiveRows } from "@/lib/live-rows";
import { getSupabase } from "@/lib/supabase";

const schema = z.array(
  z.object({
    id: z.string(),
    total: z.coerce.number<number | string>(),
    status: z.string(),
    created_at: z.string(),
  }),
);

async function listOrders(userId: string) {
  const supabase = await getSupabase();
  const answer = await supabase
    .from("orders")
    .select("id, total, status, created_at")
    .eq("user_id", userId)
    .order("created_at", { ascending: false });
  return z.parse(schema, unwrap(answer));
}

export function useOrders(userId: string) {
  const queryKey = ["orders", userId];
  useLiveRows({ table: "orders", filter: `user_id=eq.${userId}`, queryKey });
  return useQuery({ queryKey, queryFn: () => listOrders(userId) });
}
