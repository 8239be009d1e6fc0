import type { ComponentProps } from "react";
import { cn } from "@/lib/text/cn";

/** A sheet of paper with a hairline edge, lying a little off its plate. */
export function Card({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="card"
      className={cn(
        "rounded-card border base:border-line bg-raised base:p-5 base:shadow-plate base:sm:p-6",
        className,
      )}
      {...props}
    />
  );
}

export function CardTitle({ className, children, ...props }: ComponentProps<"h2">) {
  return (
    <h2 data-slot="card-title" className={cn("text-xl tracking-tight", className)} {...props}>
      {children}
    </h2>
  );
}
