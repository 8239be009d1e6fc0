import type { ReactNode } from "react";

interface FormSectionProps {
  number: number;
  title: string;
  optional?: boolean;
  error?: string | undefined;
  children: ReactNode;
}

/** A numbered part of a wizard's form. */
export function FormSection({ number, title, optional, error, children }: FormSectionProps) {
  return (
    <fieldset className="min-w-0 border-t border-line pt-5 first:border-t-0 first:pt-0">
      <legend className="float-left mb-3 flex w-full items-baseline gap-2.5 font-display text-xl font-bold tracking-tight">
        <span aria-hidden="true" className="text-tomato-text tabular-nums">
          {number}
        </span>
        {title}
        {optional ? (
          <span className="font-sans text-sm font-medium tracking-normal text-ink-soft">
            optional
          </span>
        ) : null}
      </legend>
      <div className="clear-both">{children}</div>
      {error ? (
        <p role="alert" className="mt-2 text-sm font-medium text-tomato-text">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
