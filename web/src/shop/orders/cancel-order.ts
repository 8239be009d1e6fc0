/** cancel-order: gives up an order that is not being printed yet, one's own or, as an admin, anyone's. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const schema = z.object({ refunded: z.optional(z.boolean()) });

export async function cancelOrder(orderId: string): Promise<{ refunded: boolean }> {
  const response = await invokeFunction({
    slug: "cancel-order",
    body: { order_id: orderId },
    schema,
  });
  return { refunded: response.refunded === true };
}
