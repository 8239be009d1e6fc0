/** rpc release_held_order: prints an order whose design was taken down. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";

async function releaseHeldOrder(orderId: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("release_held_order", { of_order: orderId }));
}

export function useReleaseHeldOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: releaseHeldOrder,
    onSettled: () => client.invalidateQueries({ queryKey: ADMIN_KEY }),
  });
}
