import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { cn } from "@/lib/text/cn";
import { Spinner } from "./spinner";

/* Filled buttons sit on their shadow like a plate on the press, and are pressed down onto it. */
const press =
  "border-[1.5px] shadow-[3px_3px_0_var(--edge)] hover:translate-[1px] hover:shadow-[2px_2px_0_var(--edge)] active:translate-[3px] active:shadow-none disabled:translate-none disabled:border-line disabled:bg-sunk disabled:text-ink-soft disabled:shadow-none";

const styles = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap base:rounded-card font-semibold transition-[translate,box-shadow,background-color,color] duration-100 disabled:cursor-not-allowed aria-disabled:cursor-not-allowed [&_svg]:size-[1.15em] [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: cn(
          press,
          "base:border-ink bg-tomato text-on-ink base:[--edge:var(--ink)] base:dark:border-tomato base:dark:[--edge:#8a2f1c]",
        ),
        secondary: cn(
          press,
          "border-ink bg-raised text-ink [--edge:var(--plate)] hover:bg-paper dark:border-line-strong",
        ),
        danger: cn(press, "border-tomato-text bg-raised text-tomato-text [--edge:var(--plate)]"),
        ghost: "base:text-ink hover:bg-sunk disabled:text-ink-soft",
        link: "rounded-sm text-cobalt-text underline decoration-1 underline-offset-4 hover:decoration-2",
      },
      size: {
        sm: "base:h-9 px-3 text-sm",
        md: "h-11 px-5 text-[0.95rem]",
        lg: "h-14 base:px-7 text-lg",
        icon: "size-10",
        inline: "h-auto min-h-6 p-0",
      },
    },
    defaultVariants: { variant: "primary", size: "md" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof styles> {
  asChild?: boolean;
  /** Disabled while work runs; a button that had the focus has it again afterwards. */
  busy?: boolean;
}

export function Button({
  className,
  variant,
  size,
  asChild,
  busy,
  disabled,
  children,
  ref,
  ...props
}: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const focused = useRef(false);
  // The child of `asChild` has the ref itself.
  useImperativeHandle(asChild ? undefined : ref, () => button.current as HTMLButtonElement, []);
  useLayoutEffect(() => {
    if (busy) focused.current = document.activeElement === button.current;
    else if (focused.current && document.activeElement === document.body) button.current?.focus();
  }, [busy]);
  const classes = cn(styles({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root data-slot="button" className={classes} ref={ref} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      ref={button}
      type="button"
      data-slot="button"
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  );
}
