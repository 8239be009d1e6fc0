/** design_drafts: the scene that its owner is working on, and its revision. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { parseScene } from "@/shop/scene/scene";
import type { Stored } from "../saving/scene-saver";

const schema = z.object({ scene: z.unknown(), revision: z.int() });

export async function getDraft(designId: string): Promise<Stored> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("design_drafts")
    .select("scene, revision")
    .eq("design_id", designId)
    .maybeSingle();
  const row = z.parse(z.nullable(schema), unwrap(response));
  if (!row) return { scene: null, revision: 0 };
  const scene = parseScene(row.scene);
  if (!scene)
    throw new ServiceError(
      "This drawing was made by a newer shop. Please reload the page.",
      "scene_invalid",
      200,
    );
  return { scene, revision: row.revision };
}

function draftQuery(designId: string) {
  return queryOptions({
    queryKey: ["design-draft", designId],
    queryFn: () => getDraft(designId),
    // the page itself holds what it has loaded, and saves it
    staleTime: 0,
    gcTime: 0,
  });
}

export function useDraft(designId: string) {
  return useQuery(draftQuery(designId));
}
