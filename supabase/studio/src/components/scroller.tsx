import type { ReactNode } from "react";

/** A part of the page that scrolls by itself, by keyboard too; the arrow keys go from row to row. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      data-rows
      className="min-h-0 flex-1 overflow-auto"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it no key would scroll it
      tabIndex={0}
    >
      {children}
    </section>
  );
}
