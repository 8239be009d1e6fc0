import { cn } from "@/lib/cn";

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-slot="skeleton"
      className={cn(
        "block animate-pulse rounded-md bg-line/60 motion-reduce:animate-none",
        className,
      )}
    />
  );
}
