/** generate-design-image: words to a picture. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors";
import { invokeFunction } from "@/lib/invoke-function";

const schema = z.object({ image: z.optional(z.string()), error: z.optional(z.string()) });

interface Ask {
  prompt: string;
  style: string;
  mood: string;
  background_color_name: string;
  background_color_hex: string;
  has_typography: boolean;
}

export async function generateDesignImage(ask: Ask, signal: AbortSignal): Promise<string> {
  const answer = await invokeFunction({
    slug: "generate-design-image",
    body: { ...ask },
    schema,
    signal,
  });
  if (answer.image) return answer.image;
  throw new ServiceError(answer.error ?? "Failed to generate image", "no_image", undefined);
}
