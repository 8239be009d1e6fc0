import { cn } from "@/lib/text/cn";

const INKS = ["bg-tomato", "bg-sunflower", "bg-mint", "bg-cobalt", "bg-ink"];

/** The strip of ink patches on the edge of a sheet. */
export function InkBar({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cn("flex base:h-2", className)}>
      {INKS.map((ink) => (
        <span key={ink} className={cn("h-full flex-1", ink)} />
      ))}
    </span>
  );
}
