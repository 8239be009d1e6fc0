/** refund-order: gives back what an order cost, by the returns policy. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { ADMIN_KEY } from "../admin-key";

const schema = z.object({ status: z.optional(z.string()), refund_id: z.optional(z.string()) });

interface Refund {
  orderId: string;
  reason: string;
}

async function refundOrder({ orderId, reason }: Refund): Promise<void> {
  await invokeFunction({
    slug: "refund-order",
    body: { order_id: orderId, reason },
    schema,
  });
}

export function useRefundOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: refundOrder,
    onSettled: () => client.invalidateQueries({ queryKey: ADMIN_KEY }),
  });
}
