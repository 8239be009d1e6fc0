/** orders with their items: one by id and owner. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors";
import { isUuid } from "@/lib/is-uuid";
import { useLiveRows } from "@/lib/live-rows";
import { getSupabase } from "@/lib/supabase";

const money = z.coerce.number<number | string>();

const schema = z.object({
  id: z.string(),
  total: money,
  status: z.string(),
  created_at: z.string(),
  tracking_url: z.nullable(z.string()),
  tracking_number: z.nullable(z.string()),
  carrier: z.nullable(z.string()),
  shipping_address: z.nullable(z.string()),
  printify_order_id: z.nullable(z.string()),
  order_items: z.array(
    z.object({
      id: z.string(),
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

async function getOrder(id: string, userId: string): Promise<Order> {
  if (!isUuid(id)) throw notFound();
  const supabase = await getSupabase();
  const response = await supabase
    .from("orders")
    .select(
      "id, total, status, created_at, tracking_url, tracking_number, carrier, shipping_address, printify_order_id, order_items(id, quantity, unit_price, product_name, product_image_url, product_size, product_color)",
    )
    .eq("id", id)
    .eq("user_id", userId)
    .maybeSingle();
  const row = unwrap(response);
  if (!row) throw notFound();
  return z.parse(schema, row);
}

export function useOrder(id: string, userId: string) {
  const queryKey = ["orders", userId, id];
  // The printer and the carrier change an order's status while its page is open.
  useLiveRows({ table: "orders", filter: `id=eq.${id}`, queryKey, enabled: isUuid(id) });
  return useQuery({
    queryKey,
    queryFn: () => getOrder(id, userId),
    refetchOnWindowFocus: true,
  });
}
