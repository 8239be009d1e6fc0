/** designs: update the name. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { designQuery } from "@/shop/designs/get-design";
import { DESIGNS_KEY } from "@/shop/query-keys";

async function renameDesign({ id, name }: { id: string; name: string }): Promise<void> {
  const supabase = await getSupabase();
  unwrap(
    await supabase
      .from("designs")
      .update({ name, updated_at: new Date().toISOString() })
      .eq("id", id),
  );
}

export function useRenameDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: renameDesign,
    onSuccess: (_done, { id }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: DESIGNS_KEY }),
        client.invalidateQueries({ queryKey: designQuery(id).queryKey }),
      ]),
  });
}
