/** rpc retry_order: what was given up is due again, and the order's open flags are resolved. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

async function retryOrder(orderId: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("retry_order", { of_order: orderId }));
}

export function useRetryOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: retryOrder,
    onSettled: () => client.invalidateQueries({ queryKey: ["admin"] }),
  });
}
