/** orders that the printer has taken, newest first, with their items. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";
import { LIST_LIMIT } from "../limits";

const money = z.coerce.number<number | string>();

const schema = z.array(
  z.object({
    id: z.string(),
    total: money,
    status: z.string(),
    refunded: z.pipe(
      z._default(z.int(), 0),
      z.transform((cents: number) => cents / 100),
    ),
    created_at: z.string(),
    shipping_address: z.nullable(z.string()),
    /** Null once the account was deleted. */
    user_id: z.nullable(z.string()),
    order_items: z.array(
      z.object({
        id: z.string(),
        quantity: z.int(),
        product_name: z.nullable(z.string()),
        product_size: z.nullable(z.string()),
        product_color: z.nullable(z.string()),
      }),
    ),
  }),
);

export type ConfirmedOrder = z.infer<typeof schema>[number];

async function listConfirmedOrders(): Promise<ConfirmedOrder[]> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("orders")
    .select(
      "id, total, status, refunded:refunded_cents, created_at, shipping_address, user_id, order_items(id, quantity, product_name, product_size, product_color)",
    )
    .not("printify_order_id", "is", null)
    .order("created_at", { ascending: false })
    .limit(LIST_LIMIT);
  return z.parse(schema, unwrap(response));
}

export function useConfirmedOrders() {
  return useQuery({ queryKey: [...ADMIN_KEY, "orders"], queryFn: listConfirmedOrders });
}
