/** design_ideas: what the design's first picture was drawn from; null where it was not drawn here, or nobody knows any more. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ideaSchema } from "@/shop/variations/idea";

async function getIdea(designId: string) {
  const supabase = await getSupabase();
  const response = await supabase
    .from("design_ideas")
    .select("kind, request, seed")
    .eq("design_id", designId)
    .maybeSingle();
  return z.parse(z.nullable(ideaSchema), unwrap(response));
}

export function useIdea(designId: string) {
  return useQuery({
    queryKey: ["design-idea", designId],
    queryFn: () => getIdea(designId),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
