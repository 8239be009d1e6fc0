/** cancel-order: gives up an order of one's own that is not being printed yet; what was paid goes back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelOrder } from "@/shop/orders/cancel-order";
import { ORDERS_KEY } from "@/shop/query-keys";

export function useCancelOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelOrder,
    // A refused one too: the order may have moved on since the page was loaded.
    onSettled: () => client.invalidateQueries({ queryKey: ORDERS_KEY }),
  });
}
