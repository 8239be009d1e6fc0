/** What a picture was drawn from: its job's request, of which another picture can be drawn, with the same or other words. */
import * as z from "zod/mini";
import { cleanText } from "@/lib/text/visible-text";
import { editDesignImage } from "./edit-design-image";
import { generateDesignImage } from "./generate-design-image";
import { promptOf, wordsIn } from "./prompt";

const shirt = { background_color_name: z.string(), background_color_hex: z.string() };
const textRequest = z.object({ ...shirt, prompt: z.string(), style: z.string(), mood: z.string() });
const words = z.pipe(
  z.nullable(z.string()),
  z.transform((text) => text ?? ""),
);
const photoRequest = z.object({
  ...shirt,
  style: z.string(),
  instructions: words,
  typography: words,
});

const seed = z.object({ seed: z.nullish(z.int()) });
export const ideaSchema = z.object({
  kind: z.enum(["text_picture", "photo_picture"]),
  request: z.record(z.string(), z.unknown()),
  seed: z.int(),
});

export type Idea = z.infer<typeof ideaSchema>;

/** What can be said anew while the style and the colours stay. */
export interface Words {
  /** The idea; of a photo the instructions. */
  about: string;
  /** What is written on the shirt. */
  typography: string;
}

export function wordsOf({ kind, request }: Idea): Words {
  if (kind === "text_picture") {
    const { idea, typography } = wordsIn(z.parse(textRequest, request).prompt);
    return { about: idea, typography };
  }
  const { instructions, typography } = z.parse(photoRequest, request);
  return { about: instructions, typography };
}

/** The seed that it was drawn with: a request that named one had that one. */
function seedOf({ request, seed: own }: Idea): number {
  return z.parse(seed, request).seed ?? own;
}

interface Drawing {
  /** Undefined for the idea's own. */
  words?: Words | undefined;
  /** Base64, of an idea that began with a photo. */
  photo: string;
  jobId: string;
  signal: AbortSignal;
}

/** Another picture of the idea: with other words of the same seed, so that the rest stays as far as it can. */
export function drawIdea(idea: Idea, { words: other, photo, jobId, signal }: Drawing) {
  const { about, typography } = other ?? wordsOf(idea);
  const shared = { job_id: jobId, ...(other ? { seed: seedOf(idea) } : {}) };
  if (idea.kind === "text_picture") {
    const request = z.parse(textRequest, idea.request);
    const prompt = promptOf({ idea: about, typography });
    const lettered = cleanText(typography) !== "";
    return generateDesignImage({ ...request, prompt, has_typography: lettered, ...shared }, signal);
  }
  const request = z.parse(photoRequest, idea.request);
  const said = { instructions: cleanText(about), typography: cleanText(typography) };
  return editDesignImage({ ...request, ...said, image: photo, ...shared }, signal);
}
