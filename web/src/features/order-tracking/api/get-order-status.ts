/** get-order-status: how far the order of a signed address is. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const text = z.nullable(z.string());

const schema = z.object({
  order_id: z.string(),
  number: z.string(),
  account_number: z.optional(z.string()),
  status: z.string(),
  steps: z.record(z.string(), text),
  has_problem: z.boolean(),
  items: z.array(
    z.object({
      name: z.string(),
      color: z.string(),
      size: z.string(),
      quantity: z.int(),
      unit_price_cents: z.int(),
      image_url: text,
    }),
  ),
  shipping_cents: z.int(),
  total_cents: z.int(),
  refunded_cents: z.int(),
  lost_cents: z.int(),
  refunded_at: text,
  is_held: z.boolean(),
  tracking: z.object({ carrier: text, number: text, url: text }),
  first_name: text,
  city: text,
  country: text,
});

export type TrackedOrder = z.infer<typeof schema>;

async function getOrderStatus(token: string, signal: AbortSignal): Promise<TrackedOrder> {
  if (!token) throw new ServiceError("Order not found.", "order_not_found", 404);
  return invokeFunction({
    slug: "get-order-status",
    body: { token },
    schema,
    signal,
    reads: true,
  });
}

export function useOrderStatus(token: string) {
  return useQuery({
    queryKey: ["order-status", token],
    queryFn: ({ signal }) => getOrderStatus(token, signal),
    refetchOnWindowFocus: true,
  });
}
