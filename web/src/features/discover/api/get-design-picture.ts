/** The picture of a public design by itself, as every holder of its link gets it. */
import { useQuery } from "@tanstack/react-query";
import { findSharedDesign } from "@/shop/designs/find-shared-design";

export function useDesignPicture(designId: string) {
  return useQuery({
    queryKey: ["design-picture", designId],
    // Decoration: without it the colors are shown by empty shirts.
    queryFn: async () => (await findSharedDesign(designId))?.image_data ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
