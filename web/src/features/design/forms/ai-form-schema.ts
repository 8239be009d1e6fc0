import * as z from "zod/mini";
import { isBlank } from "@/lib/text/visible-text";
import { wordsIn } from "@/shop/variations/prompt";
import { AI_STYLES, MOODS } from "../options";

export const aiFormSchema = z.object({
  style: z.enum(AI_STYLES),
  mood: z.enum(MOODS),
  idea: z
    .string()
    .check(z.refine((text) => !isBlank(text), "Describe your idea first: a few words are enough.")),
  typography: z.string(),
  colorId: z.string().check(z.minLength(1, "Choose a t-shirt color.")),
});

export type AiForm = z.infer<typeof aiFormSchema>;

export const emptyAiForm: AiForm = {
  style: AI_STYLES[0],
  mood: MOODS[0],
  idea: "",
  typography: "",
  colorId: "",
};

const request = z.object({
  prompt: z.string(),
  style: z.enum(AI_STYLES),
  mood: z.enum(MOODS),
});

/** The form that produced the prompt. */
export function formOf(sent: Record<string, unknown>): Partial<AiForm> {
  const { prompt, style, mood } = z.parse(request, sent);
  return { ...wordsIn(prompt), style, mood };
}
