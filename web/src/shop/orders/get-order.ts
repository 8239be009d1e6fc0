/** orders with their items: one by id and owner. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { useLiveRows } from "@/lib/supabase/live-rows";
import { isUuid } from "@/lib/text/is-uuid";
import { ORDERS_KEY } from "../query-keys";

const money = z.coerce.number<number | string>();

// A row without a column that only adds to the page is shown all the same.
const schema = z.object({
  id: z.string(),
  total: money,
  total_cents: z._default(z.int(), 0),
  shipping_cents: z._default(z.nullable(z.int()), null),
  status: z.string(),
  paid_at: z.optional(z.nullable(z.string())),
  refunded_cents: z._default(z.int(), 0),
  refunded_at: z._default(z.nullable(z.string()), null),
  lost_cents: z._default(z.int(), 0),
  held_at: z._default(z.nullable(z.string()), null),
  created_at: z.string(),
  tracking_url: z.nullable(z.string()),
  tracking_number: z.nullable(z.string()),
  carrier: z.nullable(z.string()),
  shipping_address: z.nullable(z.string()),
  printify_order_id: z.nullable(z.string()),
  order_items: z.array(
    z.object({
      id: z.string(),
      design_id: z._default(z.nullable(z.string()), null),
      product_variant_id: z._default(z.nullable(z.string()), null),
      printify_product_id: z._default(z.string(), ""),
      printify_variant_id: z._default(z.int(), 0),
      quantity: z.int(),
      unit_price: money,
      product_name: z.nullable(z.string()),
      product_image_url: z.nullable(z.string()),
      product_size: z.nullable(z.string()),
      product_color: z.nullable(z.string()),
    }),
  ),
});

export type Order = z.infer<typeof schema>;

function notFound(): ServiceError {
  return new ServiceError("There is no such order in your account.", "order_not_found", 404);
}

export async function getOrder(id: string, userId: string): Promise<Order> {
  if (!isUuid(id)) throw notFound();
  const supabase = await getSupabase();
  const response = await supabase
    .from("orders")
    .select(
      "id, total, total_cents, shipping_cents, status, created_at, paid_at, refunded_cents, refunded_at, lost_cents, held_at, tracking_url, tracking_number, carrier, shipping_address, printify_order_id, order_items(id, design_id, product_variant_id, printify_product_id, printify_variant_id, quantity, unit_price, product_name, product_image_url, product_size, product_color)",
    )
    .eq("id", id)
    .eq("user_id", userId)
    .maybeSingle();
  const row = unwrap(response);
  if (!row) throw notFound();
  return z.parse(schema, row);
}

export function orderQuery(id: string, userId: string) {
  return queryOptions({
    queryKey: [...ORDERS_KEY, userId, id],
    queryFn: () => getOrder(id, userId),
    refetchOnWindowFocus: true,
  });
}

export function useOrder(id: string, userId: string) {
  const query = orderQuery(id, userId);
  // The printer and the carrier change an order's status while its page is open.
  useLiveRows({
    table: "orders",
    filter: `id=eq.${id}`,
    queryKey: query.queryKey,
    enabled: isUuid(id),
  });
  return useQuery(query);
}
