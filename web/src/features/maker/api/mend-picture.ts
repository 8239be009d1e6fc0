/** mend-picture: a mended copy of a layer's picture, as new artwork; its id. */
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

interface MendedLayer {
  designId: string;
  /** Of the stored draft. */
  revision: number;
  layer: string;
  mend: string;
}

async function mendPicture(body: MendedLayer): Promise<string> {
  const response = await invokeFunction({
    slug: "mend-picture",
    body: { ...body },
    schema: z.object({ artworkId: z.string() }),
    fallback: "The picture could not be mended. Please try again.",
  });
  return response.artworkId;
}

export function useMendPicture() {
  return useMutation({ mutationFn: mendPicture });
}
