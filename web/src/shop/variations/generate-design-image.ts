/** generate-design-image: words to a picture. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const schema = z.object({ image: z.optional(z.string()), error: z.optional(z.string()) });

const FAILED = "Failed to generate image";

interface ImageRequest {
  prompt: string;
  style: string;
  mood: string;
  background_color_name: string;
  background_color_hex: string;
  job_id: string;
  has_typography: boolean;
  /** Of an earlier picture, to change as little of it as can be. */
  seed?: number;
}

export async function generateDesignImage(
  request: ImageRequest,
  signal: AbortSignal,
): Promise<string> {
  const response = await invokeFunction({
    slug: "generate-design-image",
    body: { ...request },
    schema,
    signal,
    fallback: FAILED,
  });
  if (response.image) return response.image;
  throw new ServiceError(response.error ?? FAILED, "no_image", undefined);
}
