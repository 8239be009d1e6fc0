import type { ReactNode } from "react";
import { cn } from "./classes";

/** A part of the page that scrolls by itself, by keyboard too; the arrow keys go from row to row. */
export function Scroller({
  label,
  className = "min-h-0 flex-1",
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      data-rows
      className={cn("overflow-auto", className)}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it no key would scroll it
      tabIndex={0}
    >
      {children}
    </section>
  );
}
