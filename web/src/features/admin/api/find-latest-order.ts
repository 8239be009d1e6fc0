/** orders: the newest one that is paid for, or that the printer has taken; undefined when there is none. */
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { PAID_STATUSES } from "../stats";

const order = z.nullable(z.object({ id: z.string() }));
const printed = z.nullable(z.object({ id: z.string(), printify_order_id: z.string() }));

export async function findLatestOrder(): Promise<string | undefined> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("orders")
    .select("id")
    .in("status", PAID_STATUSES)
    .order("created_at", { ascending: false })
    .limit(1)
    .maybeSingle();
  return z.parse(order, unwrap(response))?.id;
}

export async function findLatestPrintedOrder() {
  const supabase = await getSupabase();
  const response = await supabase
    .from("orders")
    .select("id, printify_order_id")
    .not("printify_order_id", "is", null)
    .order("created_at", { ascending: false })
    .limit(1)
    .maybeSingle();
  return z.parse(printed, unwrap(response)) ?? undefined;
}
