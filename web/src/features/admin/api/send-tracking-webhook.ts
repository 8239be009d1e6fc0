/** send-tracking-webhook: notifies the shopper that the parcel is on its way. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

export async function sendTrackingWebhook(printifyOrderId: string): Promise<void> {
  await invokeFunction({
    slug: "send-tracking-webhook",
    body: { printify_order_id: printifyOrderId },
    schema: z.unknown(),
  });
}
