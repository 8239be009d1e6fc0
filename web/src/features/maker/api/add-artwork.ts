/** add-artwork: checks and stores a picture of one's own, or one that was drawn, for use in scenes. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { base64Of } from "@/lib/browser/base64-of";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { OWN_ARTWORK } from "./list-artwork";

const schema = z.object({
  artwork: z.object({ id: z.string(), width: z.number(), height: z.number(), review: z.string() }),
});

interface NewArtwork {
  file: File;
  rightsConfirmed: boolean;
}

async function addArtwork({ file, rightsConfirmed }: NewArtwork) {
  const response = await invokeFunction({
    slug: "add-artwork",
    body: { fileBase64: await base64Of(file), name: file.name, rightsConfirmed },
    schema,
    fallback: "The picture could not be stored. Please try again.",
  });
  return response.artwork;
}

/** What a job has drawn, as artwork. */
async function addDrawing(jobId: string) {
  const response = await invokeFunction({
    slug: "add-artwork",
    body: { job_id: jobId, rightsConfirmed: true },
    schema,
    fallback: "The picture could not be put on the shirt. Please try again.",
  });
  return response.artwork;
}

export function useAddDrawing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: addDrawing,
    onSuccess: () => void client.invalidateQueries({ queryKey: [OWN_ARTWORK] }),
  });
}

export function useAddArtwork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: addArtwork,
    onSuccess: () => void client.invalidateQueries({ queryKey: [OWN_ARTWORK] }),
  });
}
