import type { ComponentProps } from "react";
import { cn } from "./classes";

const VARIANTS = {
  primary: "border-accent bg-accent text-on-accent hover:brightness-110",
  secondary: "border-line-strong bg-raised text-ink hover:bg-sunk",
  danger: "border-danger bg-raised text-danger hover:bg-sunk",
  ghost: "border-transparent text-ink hover:bg-sunk",
  link: "border-transparent px-0! text-link underline underline-offset-4",
};

interface Props {
  variant?: keyof typeof VARIANTS;
  /** Square, for an icon alone. */
  icon?: boolean;
}

/** The classes of a button, for a link that looks like one too. */
export function buttonClass({ variant = "primary", icon }: Props): string {
  return cn(
    "inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-md border text-sm font-semibold whitespace-nowrap",
    "disabled:cursor-not-allowed disabled:border-line disabled:bg-sunk disabled:text-ink-soft disabled:brightness-100 [&_svg]:size-4.5",
    VARIANTS[variant],
    icon ? "w-9" : "px-3",
  );
}

export function Button({
  variant,
  icon,
  busy,
  className,
  disabled,
  ...props
}: ComponentProps<"button"> & Props & { busy?: boolean }) {
  return (
    <button
      type="button"
      className={cn(buttonClass({ variant, icon }), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
    />
  );
}
