import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

export function PanelMessage({ tone, children }: { tone?: "problem"; children: ReactNode }) {
  return (
    <p
      role={tone ? "alert" : undefined}
      className={cn("px-5 py-12 text-center text-ink-soft", tone && "font-medium text-tomato-text")}
    >
      {children}
    </p>
  );
}
