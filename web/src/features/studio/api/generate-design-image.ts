/** generate-design-image: words to a picture. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors";
import { invokeFunction } from "@/lib/invoke-function";

const schema = z.object({ image: z.optional(z.string()), error: z.optional(z.string()) });

const FAILED = "Failed to generate image";

interface Ask {
  prompt: string;
  style: string;
  mood: string;
  background_color_name: string;
  background_color_hex: string;
  job_id: string;
  has_typography: boolean;
}

export async function generateDesignImage(ask: Ask, signal: AbortSignal): Promise<string> {
  const answer = await invokeFunction({
    slug: "generate-design-image",
    body: { ...ask },
    schema,
    signal,
    fallback: FAILED,
  });
  if (answer.image) return answer.image;
  throw new ServiceError(answer.error ?? FAILED, "no_image", undefined);
}
