/** edit-design-image: a photo to a picture in the chosen style. */
import { invokeArtist } from "./invoke-artist";

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

export function editDesignImage(request: ImageRequest, signal: AbortSignal): Promise<string> {
  return invokeArtist({
    slug: "edit-design-image",
    body: { ...request },
    signal,
    fallback: FAILED,
  });
}
