/** add-artwork: checks and stores a picture of one's own, for use in scenes. */
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

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

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read"));
    reader.readAsDataURL(file);
  });
}

export function useAddArtwork() {
  return useMutation({ mutationFn: addArtwork });
}
