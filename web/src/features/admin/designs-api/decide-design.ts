/** rpc decide_design: keep, take down or restore a design, with the ticked copies. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { GALLERY_KEY, SHARED_DESIGN_KEY } from "@/shop/query-keys";
import { ADMIN_KEY } from "../admin-key";

export interface Decision {
  designId: string;
  decision: "keep" | "take_down" | "restore";
  reason?: string;
  note: string;
  copies: string[];
}

/** How many designs it changed: none where another admin was first. */
async function decideDesign({ designId, ...decision }: Decision): Promise<number> {
  const supabase = await getSupabase();
  return unwrap(
    await supabase.rpc("decide_design", { of_design: designId, ...decision }),
  ) as number;
}

export function useDecideDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: decideDesign,
    onSettled: () =>
      Promise.all(
        [ADMIN_KEY, GALLERY_KEY, SHARED_DESIGN_KEY].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
