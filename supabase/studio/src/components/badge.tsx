import type { ReactNode } from "react";
import { cn } from "./classes";

const TONES = {
  green: "border-good text-good",
  yellow: "border-warning text-warning",
  red: "border-danger text-danger",
  blue: "border-link text-link",
  grey: "border-line-strong text-ink-soft",
};

export type Tone = keyof typeof TONES;

/** A state in a word or two. */
export function Badge({ tone = "grey", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cn(
        "inline-block rounded-full border bg-raised px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
