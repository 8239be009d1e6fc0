/**
 * public_designs: a row makes a design public, and its thumbnail is copied to where everyone sees it. The public
 * display name is saved first, and only if there is none.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { profileQuery } from "@/lib/session/get-profile";
import { getSupabase, type Supabase } from "@/lib/supabase/client";
import { PICTURES, PUBLIC_THUMBNAILS } from "@/shop/designs/stored-pictures";
import { DESIGNS_KEY, GALLERY_KEY } from "@/shop/query-keys";

const publication = z.object({
  id: z.string(),
  designs: z.nullable(z.object({ thumbnail_url: z.nullable(z.string()) })),
});

interface Publication {
  designId: string;
  userId: string;
  newPublicName: string | undefined;
}

async function publishDesign({ designId, userId, newPublicName }: Publication): Promise<void> {
  const supabase = await getSupabase();
  if (newPublicName) {
    unwrap(await supabase.from("profiles").update({ public_name: newPublicName }).eq("id", userId));
  }
  const response = await supabase
    .from("public_designs")
    .insert({ design_id: designId, user_id: userId })
    .select("id, designs(thumbnail_url)")
    .single();
  const { id, designs } = z.parse(publication, unwrap(response));
  if (designs?.thumbnail_url) await showThumbnail(supabase, id, designs.thumbnail_url);
}

async function showThumbnail(supabase: Supabase, publicationId: string, thumbnail: string) {
  const { error } = await supabase.storage
    .from(PICTURES)
    .copy(thumbnail, `${publicationId}.jpg`, { destinationBucket: PUBLIC_THUMBNAILS });
  // The design is public all the same: the shop's sweep copies within a minute.
  if (error) console.warn("The thumbnail could not be copied:", error);
}

export function usePublishDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: publishDesign,
    onSettled: (_done, _error, { userId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: DESIGNS_KEY }),
        client.invalidateQueries({ queryKey: profileQuery(userId).queryKey }),
        client.invalidateQueries({ queryKey: GALLERY_KEY }),
      ]),
  });
}
