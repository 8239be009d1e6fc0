/** public_designs: deleting the row makes the design private. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { DESIGNS_KEY, GALLERY_KEY } from "@/shop/query-keys";

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
        client.invalidateQueries({ queryKey: DESIGNS_KEY }),
        client.invalidateQueries({ queryKey: GALLERY_KEY }),
      ]),
  });
}
