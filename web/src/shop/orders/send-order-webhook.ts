/** send-order-webhook: sends the confirmation mail of an order. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

export async function sendOrderWebhook(orderId: string): Promise<void> {
  await invokeFunction({
    slug: "send-order-webhook",
    body: { order_id: orderId },
    schema: z.unknown(),
  });
}
