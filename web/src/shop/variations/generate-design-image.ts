/** generate-design-image: words to a picture. */
import { invokeArtist } from "./invoke-artist";

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

export function generateDesignImage(request: ImageRequest, signal: AbortSignal): Promise<string> {
  return invokeArtist({
    slug: "generate-design-image",
    body: { ...request },
    signal,
    fallback: FAILED,
  });
}
