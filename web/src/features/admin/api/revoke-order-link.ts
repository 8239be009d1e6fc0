/** rpc revoke_order_link: the addresses in e-mails about this order open nothing any more. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";

async function revokeOrderLink(orderId: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("revoke_order_link", { of_order: orderId }));
}

export function useRevokeOrderLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: revokeOrderLink,
    onSettled: () => client.invalidateQueries({ queryKey: ADMIN_KEY }),
  });
}
