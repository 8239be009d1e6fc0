/** public_designs: deleting the row makes the design private. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

async function unpublishDesign(designId: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.from("public_designs").delete().eq("design_id", designId));
}

export function useUnpublishDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: unpublishDesign,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["designs"] }),
        client.invalidateQueries({ queryKey: ["gallery"] }),
      ]),
  });
}
