import type { ReactNode } from "react";

export function Section({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-labelledby={`section-${number}`}
      className="border-t border-line pt-6 first:border-t-0 first:pt-0"
    >
      <h2 id={`section-${number}`} className="mb-4 flex items-baseline gap-2.5 text-xl">
        <span aria-hidden="true" className="text-tomato-text tabular-nums">
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  );
}
