/** The specified prompt: the idea and, when words are to be printed, a sentence that says which. */
import { cleanText } from "@/lib/text/visible-text";

interface PromptWords {
  idea: string;
  /** What is written on the shirt; empty for nothing. */
  typography: string;
}

export function promptOf({ idea, typography }: PromptWords): string {
  const [text, words] = [cleanText(idea), cleanText(typography)];
  if (!words) return text;
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  return `${sentence} Text to include: "${words}"`;
}

/** What a prompt was made of. */
export function wordsIn(prompt: string): PromptWords {
  const words = /^(.*) Text to include: "(.*)"$/s.exec(prompt);
  return { idea: words?.[1] ?? prompt, typography: words?.[2] ?? "" };
}
