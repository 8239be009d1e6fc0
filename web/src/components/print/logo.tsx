import { cn } from "@/lib/text/cn";

const TEE =
  "M13 6.500c3 3.400 8 3.400 11 0l7.300 2.500 4.700 9.300-6.300 3-2-3.300V33H9.300V18L7.300 21.300.900 18.300 5.600 9z";

/** Two plates of one shirt, slightly out of register, and the name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-2 font-display text-[1.45rem] font-extrabold tracking-[-0.045em]",
        className,
      )}
    >
      <svg viewBox="0 0 40 36" aria-hidden="true" className="h-8 w-9 isolate">
        <path d={TEE} fill="var(--tomato)" />
        <path
          d={TEE}
          fill="var(--cobalt)"
          transform="translate(2.600 2)"
          style={{ mixBlendMode: "var(--blend)" as "multiply" }}
        />
      </svg>
      Teesmith
    </span>
  );
}
