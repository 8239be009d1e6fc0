/** update-order-status: the server asks Stripe whether the order is paid, and notes it. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/invoke-function";

export async function markOrderPaid(orderId: string): Promise<void> {
  await invokeFunction({
    slug: "update-order-status",
    body: { order_id: orderId, status: "paid" },
    schema: z.unknown(),
  });
}
