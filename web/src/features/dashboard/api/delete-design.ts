/** designs: delete by id. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { DESIGNS_KEY } from "@/shop/query-keys";

async function deleteDesign(id: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.from("designs").delete().eq("id", id));
}

export function useDeleteDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteDesign,
    onSuccess: () => client.invalidateQueries({ queryKey: DESIGNS_KEY }),
  });
}
