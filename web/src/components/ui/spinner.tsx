import { cn } from "@/lib/text/cn";

/** Decorative: the words beside it say what is going on. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "inline-block base:size-[1em] animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-pulse",
        className,
      )}
    />
  );
}
