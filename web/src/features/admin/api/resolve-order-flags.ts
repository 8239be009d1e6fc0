/** rpc resolve_order_flags: these flags are dealt with; the note goes into the audit trail. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";

interface Resolution {
  orderId: string;
  /** Those that were shown: one that was raised meanwhile stays open. */
  flags: string[];
  note: string;
}

/** How many it resolved: none where another admin was first. */
async function resolveOrderFlags({ orderId, flags, note }: Resolution): Promise<number> {
  const supabase = await getSupabase();
  return unwrap(
    await supabase.rpc("resolve_order_flags", { of_order: orderId, flags, note }),
  ) as number;
}

export function useResolveOrderFlags() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: resolveOrderFlags,
    onSettled: () => client.invalidateQueries({ queryKey: ADMIN_KEY }),
  });
}
