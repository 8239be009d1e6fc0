import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/text/cn";

const styles = cva(
  "inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 py-0.5 text-xs font-semibold before:size-1.5 before:rounded-full before:bg-current",
  {
    variants: {
      tone: {
        yellow:
          "border-amber-300 bg-amber-100 text-amber-950 dark:border-amber-700 dark:bg-amber-950 dark:text-amber-200",
        blue: "border-blue-300 bg-blue-100 text-blue-950 dark:border-blue-700 dark:bg-blue-950 dark:text-blue-200",
        purple:
          "border-purple-300 bg-purple-100 text-purple-950 dark:border-purple-700 dark:bg-purple-950 dark:text-purple-200",
        green:
          "border-green-300 bg-green-100 text-green-950 dark:border-green-700 dark:bg-green-950 dark:text-green-200",
        emerald:
          "border-emerald-300 bg-emerald-100 text-emerald-950 dark:border-emerald-700 dark:bg-emerald-950 dark:text-emerald-200",
        red: "border-red-300 bg-red-100 text-red-950 dark:border-red-800 dark:bg-red-950 dark:text-red-200",
        grey: "border-line bg-sunk text-ink-soft",
      },
    },
    defaultVariants: { tone: "grey" },
  },
);

export type Tone = NonNullable<VariantProps<typeof styles>["tone"]>;

export function Badge({ className, tone, ...props }: ComponentProps<"span"> & { tone?: Tone }) {
  return <span data-slot="badge" className={cn(styles({ tone }), className)} {...props} />;
}
