/** rpc revoke_order_link: the addresses in e-mails about this order open nothing any more. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

async function revokeOrderLink(orderId: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("revoke_order_link", { of_order: orderId }));
}

export function useRevokeOrderLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: revokeOrderLink,
    onSettled: () => client.invalidateQueries({ queryKey: ["admin"] }),
  });
}
