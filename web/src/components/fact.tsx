import type { ReactNode } from "react";

/** A row of a card's list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 font-semibold wrap-anywhere tabular-nums">{children}</dd>
    </>
  );
}
