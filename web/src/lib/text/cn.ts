/**
 * Joins the classes of an element. Which of two that set the same property counts, the stylesheet's order would decide:
 * so the one that another may take the place of is marked `base:` (app/styles/index.css).
 */
import { type ClassValue, clsx } from "clsx";

// In development and tests alone: what it takes to know all classes is half of a page's first program.
const merge = import.meta.env.DEV ? await makeMerge() : undefined;

async function makeMerge() {
  const { extendTailwindMerge } = await import("tailwind-merge");
  return extendTailwindMerge({
    extend: { theme: { radius: ["card"], shadow: ["plate", "plate-lg"] } },
  });
}

export function cn(...classes: ClassValue[]): string {
  const joined = clsx(classes);
  if (merge) {
    const kept = new Set(merge(joined).split(" "));
    const lost = joined.split(" ").filter((each) => !kept.has(each));
    if (lost.length > 0)
      throw new Error(`Another class of "${joined}" takes the place of ${lost}: mark it base:`);
  }
  return joined;
}
