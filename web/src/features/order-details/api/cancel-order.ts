/** cancel-order: gives up an order of one's own that is not being printed yet; what was paid goes back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/invoke-function";

const schema = z.object({ refunded: z.optional(z.boolean()) });

async function cancelOrder(orderId: string): Promise<{ refunded: boolean }> {
  const answer = await invokeFunction({
    slug: "cancel-order",
    body: { order_id: orderId },
    schema,
  });
  return { refunded: answer.refunded === true };
}

export function useCancelOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelOrder,
    // A refused one too: the order may have moved on since the page was loaded.
    onSettled: () => client.invalidateQueries({ queryKey: ["orders"] }),
  });
}
