/** rpc/return_to_version: makes an earlier version the current one, with its picture, product and draft. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { refreshDesign } from "./refresh-design";

async function returnToVersion(version: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("return_to_version", { version }));
}

export function useReturnToVersion(designId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: returnToVersion,
    onSuccess: () => refreshDesign(client, designId),
  });
}
