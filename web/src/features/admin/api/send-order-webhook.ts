/** send-order-webhook: an order's confirmation, once more. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/invoke-function";

export async function sendOrderWebhook(orderId: string): Promise<void> {
  await invokeFunction({
    slug: "send-order-webhook",
    body: { order_id: orderId },
    schema: z.unknown(),
  });
}
