/** update-order-status: the server looks the payment up at Stripe and records whether the order is paid. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

export async function markOrderPaid(orderId: string): Promise<void> {
  await invokeFunction({
    slug: "update-order-status",
    body: { order_id: orderId, status: "paid" },
    schema: z.unknown(),
  });
}
