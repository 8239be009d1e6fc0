/** designs: the design's own first picture, which stays when versions of it are made. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { imageSource } from "@/lib/browser/image-source";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { thumbnailAddresses } from "@/shop/designs/stored-pictures";
import { measured, type Original } from "../stage/measure";

const schema = z.object({
  image_data: z.nullable(z.string()),
  image_url: z.nullable(z.string()),
});

/** Null where it has none: it was begun with an empty shirt. */
async function getOriginal(designId: string): Promise<Original | null> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("designs")
    .select("image_data, image_url")
    .eq("id", designId)
    .single();
  const { image_data, image_url } = z.parse(schema, unwrap(response));
  const name = image_url?.replace(/[^/]+$/, "picture.png") ?? null;
  const address = imageSource(image_data) ?? (await thumbnailAddresses([name]))(name);
  return address ? measured(address) : null;
}

export function useOriginal(designId: string) {
  return useQuery({
    queryKey: ["design-original", designId],
    queryFn: () => getOriginal(designId),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
