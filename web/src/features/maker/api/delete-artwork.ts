/** rpc/delete_artwork: deletes a picture of one's own; refused, with a sentence that says where, while something shows it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ownArtworkQuery, SCENE_ARTWORK } from "./list-artwork";

const UNSAVED = "Your last changes have not reached the shop. Please try again.";

type Flush = () => Promise<number | undefined>;

/** The shop looks at the draft that it has: it is to be the one that is shown. */
async function deleteArtwork(artwork: string, flush: Flush): Promise<void> {
  if ((await flush()) === undefined) throw new ServiceError(UNSAVED, "not_saved", undefined);
  const supabase = await getSupabase();
  unwrap(await supabase.rpc("delete_artwork", { artwork }));
}

export function useDeleteArtwork(owner: string, flush: Flush) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (artwork: string) => deleteArtwork(artwork, flush),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ownArtworkQuery(owner).queryKey }),
        // What was cut out of it leads back to nothing now.
        client.invalidateQueries({ queryKey: [SCENE_ARTWORK] }),
      ]),
  });
}
