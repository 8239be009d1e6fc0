/** rpc/return_to_version: makes an earlier version the current one, with its picture, product and draft. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { designQuery } from "@/shop/designs/get-design";
import { DESIGNS_KEY } from "@/shop/query-keys";
import { versionsQuery } from "./list-versions";

async function returnToVersion(version: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("return_to_version", { version }));
}

export function useReturnToVersion(designId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: returnToVersion,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: versionsQuery(designId).queryKey }),
        client.invalidateQueries({ queryKey: designQuery(designId).queryKey }),
        client.invalidateQueries({ queryKey: DESIGNS_KEY }),
      ]),
  });
}
