import type { ReactNode } from "react";
import { cn } from "@/lib/text/cn";

/** The headings of an admin list on wide screens; on narrow ones every value carries its own. */
export function ColumnHeads({ className, heads }: { className: string; heads: string[] }) {
  return (
    <div
      aria-hidden="true"
      className={cn(
        "hidden items-center gap-4 border-b border-line bg-sunk px-4 py-2.5 text-sm font-semibold text-ink-soft lg:grid",
        className,
      )}
    >
      {heads.map((head) => (
        <span key={head}>{head}</span>
      ))}
    </div>
  );
}

interface CellProps {
  label: string;
  className?: string;
  children: ReactNode;
}

export function Cell({ label, className, children }: CellProps) {
  return (
    <div className={cn("min-w-0 tabular-nums", className)}>
      <span className="block text-xs text-ink-soft lg:sr-only">{label}</span>
      {children}
    </div>
  );
}
