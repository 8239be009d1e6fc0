/** rpc retry_order: what was given up is due again, and its flags are resolved. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";

async function retryOrder(orderId: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("retry_order", { of_order: orderId }));
}

export function useRetryOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: retryOrder,
    onSettled: () => client.invalidateQueries({ queryKey: ADMIN_KEY }),
  });
}
