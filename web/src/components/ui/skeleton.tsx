import type { ComponentProps } from "react";
import { cn } from "@/lib/text/cn";

export function Skeleton({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      aria-hidden="true"
      data-slot="skeleton"
      className={cn(
        "block animate-pulse base:rounded-md bg-line/60 motion-reduce:animate-none",
        className,
      )}
      {...props}
    />
  );
}
