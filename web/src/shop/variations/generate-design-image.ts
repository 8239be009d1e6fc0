/** generate-design-image: words to a picture. */
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { artistAnswer, pictureIn } from "./artist-answer";

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
  const answer = await invokeFunction({
    slug: "generate-design-image",
    body: { ...request },
    schema: artistAnswer,
    signal,
    fallback: FAILED,
  });
  return pictureIn(answer, FAILED);
}
