/** rpc end_design_link: a new link for one's own private design. The one before opens nothing any more. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { DESIGNS_KEY, SHARED_DESIGN_KEY } from "../query-keys";

/** The key of the new link. */
async function endDesignLink(designId: string): Promise<string> {
  const supabase = await getSupabase();
  return unwrap(await supabase.rpc("end_design_link", { design: designId })) as string;
}

export function useEndDesignLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: endDesignLink,
    onSettled: (_key, _error, designId) =>
      Promise.all(
        [DESIGNS_KEY, SHARED_DESIGN_KEY, ["design", designId]].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
