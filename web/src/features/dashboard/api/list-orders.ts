/** orders: the visitor's own, newest first, fifty at a time; a page begins after the last order of the one before. */
import { useInfiniteQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { useLiveRows } from "@/lib/supabase/live-rows";
import { ORDERS_KEY } from "@/shop/query-keys";

const ORDERS_PER_PAGE = 50;

const schema = z.array(
  z.object({
    id: z.string(),
    total: z.coerce.number<number | string>(),
    status: z.string(),
    refunded_cents: z._default(z.int(), 0),
    created_at: z.string(),
  }),
);

type OrderRow = z.infer<typeof schema>[number];

interface OrderPage {
  orders: OrderRow[];
  /** The order after which the next page begins; undefined on the last one. */
  last: OrderRow | undefined;
}

async function listOrders(userId: string, after: OrderRow | undefined): Promise<OrderPage> {
  const supabase = await getSupabase();
  const mine = supabase
    .from("orders")
    .select("id, total, status, created_at, refunded_cents")
    .eq("user_id", userId);
  const rest = after
    ? mine
        .lte("created_at", after.created_at)
        .or(`created_at.lt."${after.created_at}",id.gt.${after.id}`)
    : mine;
  // One more than is shown: the extra row means that there is a next page.
  const response = await rest
    .order("created_at", { ascending: false })
    .order("id", { ascending: true })
    .limit(ORDERS_PER_PAGE + 1);
  const rows = z.parse(schema, unwrap(response));
  const orders = rows.slice(0, ORDERS_PER_PAGE);
  return { orders, last: rows.length > orders.length ? orders.at(-1) : undefined };
}

export function useOrders(userId: string) {
  const queryKey = [...ORDERS_KEY, userId];
  useLiveRows({ table: "orders", filter: `user_id=eq.${userId}`, queryKey });
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => listOrders(userId, pageParam),
    initialPageParam: undefined as OrderRow | undefined,
    getNextPageParam: (page: OrderPage) => page.last,
  });
}
