import type { ReactNode } from "react";
import { cn } from "@/lib/text/cn";

interface PanelMessageProps {
  tone?: "problem";
  /** The first step out of an empty panel. */
  next?: ReactNode;
  children: ReactNode;
}

export function PanelMessage({ tone, next, children }: PanelMessageProps) {
  return (
    <div className="px-5 py-12 text-center text-ink-soft">
      <p role={tone ? "alert" : undefined} className={cn(tone && "font-medium text-tomato-text")}>
        {children}
      </p>
      {next ? (
        <div className="mt-3 flex flex-wrap items-center justify-center gap-3 text-sm">{next}</div>
      ) : null}
    </div>
  );
}
