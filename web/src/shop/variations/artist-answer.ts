/** What the functions that draw answer: a picture, or why there is none. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";

export const artistAnswer = z.object({
  image: z.optional(z.string()),
  error: z.optional(z.string()),
});

/** The picture in base64. `fallback` is said where the function says nothing. */
export function pictureIn(answer: z.infer<typeof artistAnswer>, fallback: string): string {
  if (answer.image) return answer.image;
  throw new ServiceError(answer.error ?? fallback, "no_image", undefined);
}
