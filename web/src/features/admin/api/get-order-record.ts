/** rpc get_order_record: an order with its flags, jobs, messages and audit trail. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";

const text = z.nullable(z.string());
const money = z.coerce.number<number | string>();

const schema = z.object({
  id: z.string(),
  status: z.string(),
  total: money,
  refunded: money,
  paid_at: text,
  created_at: z.string(),
  cancel_requested_at: text,
  payment_intent_id: text,
  printify_order_id: text,
  shipping_address: text,
  flags: z.array(
    z.object({
      id: z.string(),
      reason: z.string(),
      details: z.string(),
      created_at: z.string(),
      resolved_at: text,
    }),
  ),
  jobs: z.array(
    z.object({
      kind: z.string(),
      attempts: z.int(),
      due_at: z.string(),
      last_error: text,
      done_at: text,
      gave_up_at: text,
    }),
  ),
  messages: z.array(
    z.object({
      channel: z.string(),
      kind: z.string(),
      attempts: z.int(),
      due_at: z.string(),
      last_error: text,
      sent_at: text,
      gave_up_at: text,
    }),
  ),
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      details: z.record(z.string(), z.unknown()),
      created_at: z.string(),
      actor: text,
    }),
  ),
});

export type OrderRecord = z.infer<typeof schema>;
export type OrderEvent = OrderRecord["events"][number];

async function getOrderRecord(orderId: string): Promise<OrderRecord> {
  const supabase = await getSupabase();
  const record = unwrap(await supabase.rpc("get_order_record", { of_order: orderId }));
  if (record === null) throw new ServiceError("There is no such order.", "order_not_found", 404);
  return z.parse(schema, record);
}

export function useOrderRecord(orderId: string) {
  return useQuery({
    queryKey: [...ADMIN_KEY, "order-record", orderId],
    queryFn: () => getOrderRecord(orderId),
    refetchOnWindowFocus: true,
  });
}
