import type { ReactNode } from "react";

/** A part of the page that scrolls by itself, by keyboard too. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it no key would scroll it
    <section className="min-h-0 flex-1 overflow-auto" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
