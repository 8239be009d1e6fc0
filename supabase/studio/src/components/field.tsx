/** Controls of forms, as wide as their place where `className` says nothing else; and a label with all that describes one. */
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "./classes";

const CONTROL =
  "rounded-md border border-line-strong bg-raised px-3 text-sm text-ink placeholder:text-ink-soft hover:border-ink aria-invalid:border-danger disabled:bg-sunk disabled:text-ink-soft";

export function Input({ className = "w-full", ...props }: ComponentProps<"input">) {
  return <input className={cn(CONTROL, "h-9", className)} {...props} />;
}

export function Textarea({ className = "w-full", ...props }: ComponentProps<"textarea">) {
  return <textarea className={cn(CONTROL, "min-h-28 resize-y py-2", className)} {...props} />;
}

export function Select({ className = "w-full", ...props }: ComponentProps<"select">) {
  return <select className={cn(CONTROL, "h-9", className)} {...props} />;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  className?: string;
  children: (ids: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": hint || error ? `${id}-more` : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint || error ? (
        <p id={`${id}-more`} className={cn("text-sm", error ? "text-danger" : "text-ink-soft")}>
          {error || hint}
        </p>
      ) : null}
    </div>
  );
}
