/** What the functions that draw answer: a picture, or why there is none. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const schema = z.object({ image: z.optional(z.string()), error: z.optional(z.string()) });

interface Call {
  slug: "generate-design-image" | "edit-design-image";
  body: Record<string, unknown>;
  signal: AbortSignal;
  /** What is said where the function says nothing. */
  fallback: string;
}

/** The picture in base64. */
export async function invokeArtist({ fallback, ...call }: Call): Promise<string> {
  const response = await invokeFunction({ ...call, schema, fallback });
  if (response.image) return response.image;
  throw new ServiceError(response.error ?? fallback, "no_image", undefined);
}
