/** edit-design-image: a photo to a picture in the chosen style. */
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { artistAnswer, pictureIn } from "./artist-answer";

const FAILED = "Failed to generate design from image";

interface ImageRequest {
  image: string;
  style: string;
  instructions: string;
  typography: string;
  background_color_name: string;
  background_color_hex: string;
  job_id: string;
  /** Of an earlier picture, to change as little of it as can be. */
  seed?: number;
}

export async function editDesignImage(request: ImageRequest, signal: AbortSignal): Promise<string> {
  const answer = await invokeFunction({
    slug: "edit-design-image",
    body: { ...request },
    schema: artistAnswer,
    signal,
    fallback: FAILED,
  });
  return pictureIn(answer, FAILED);
}
