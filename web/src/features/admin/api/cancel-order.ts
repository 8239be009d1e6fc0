/** cancel-order: any order that is not being printed yet. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelOrder } from "@/shop/orders/cancel-order";
import { ADMIN_KEY } from "../admin-key";

export function useCancelOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelOrder,
    onSettled: () => client.invalidateQueries({ queryKey: ADMIN_KEY }),
  });
}
