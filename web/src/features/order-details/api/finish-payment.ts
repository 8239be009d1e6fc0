/** finish-payment: the payment of an order of one's own that is still to be paid, and how far it has come. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { ORDERS_KEY } from "@/shop/query-keys";

const schema = z.object({
  client_secret: z.string(),
  order_id: z.string(),
  payment_status: z.optional(z.string()),
});

export function finishPayment(orderId: string): Promise<z.infer<typeof schema>> {
  return invokeFunction({ slug: "finish-payment", body: { order_id: orderId }, schema });
}

/** `open` is a payment that was not tried, or declined. */
type PaymentState = "open" | "left_at_the_bank" | "processing";

export function paymentQuery(orderId: string) {
  return queryOptions({
    queryKey: ["payment", orderId],
    queryFn: async ({ client }): Promise<PaymentState> => {
      try {
        const { payment_status } = await finishPayment(orderId);
        return payment_status === "requires_action" ? "left_at_the_bank" : "open";
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.code === "payment_processing") return "processing";
        // The order has moved on: paid, or cancelled.
        if (error.status === 409) await client.invalidateQueries({ queryKey: ORDERS_KEY });
        throw error;
      }
    },
  });
}

/** What has become of an unpaid order's payment. The shop looks at it too: a charge that it had missed is recorded. */
export function usePaymentState(orderId: string) {
  return useQuery(paymentQuery(orderId));
}
