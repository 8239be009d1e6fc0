/** edit-design-image: a photo to a picture in the chosen style. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const schema = z.object({ image: z.optional(z.string()), error: z.optional(z.string()) });

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
  const response = await invokeFunction({
    slug: "edit-design-image",
    body: { ...request },
    schema,
    signal,
    fallback: FAILED,
  });
  if (response.image) return response.image;
  throw new ServiceError(response.error ?? FAILED, "no_image", undefined);
}
