/** rpc/delete_artwork: deletes a picture of one's own; refused, with a sentence that says where, while something shows it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ownArtworkQuery, SCENE_ARTWORK } from "./list-artwork";

async function deleteArtwork(artwork: string): Promise<void> {
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("delete_artwork", { artwork }));
}

export function useDeleteArtwork(owner: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteArtwork,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ownArtworkQuery(owner).queryKey }),
        // What was cut out of it leads back to nothing now.
        client.invalidateQueries({ queryKey: [SCENE_ARTWORK] }),
      ]),
  });
}
