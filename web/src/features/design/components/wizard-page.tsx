import { type ReactNode, useEffect, useRef } from "react";
import { BackLink } from "@/components/back-link";
import { PageTitle } from "@/components/page-title";
import { cn } from "@/lib/text/cn";

interface WizardPageProps {
  title: string;
  steps: readonly [string, string, string];
  step: 1 | 2 | 3;
  children: ReactNode;
}

export function WizardPage({ title, steps, step, children }: WizardPageProps) {
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef(step);

  // A new step behaves like a new page: scroll to the top and move the focus to its start.
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    content.current?.focus({ preventScroll: true });
  }, [step]);

  return (
    <div className="shell py-8 sm:py-12">
      <PageTitle>{title}</PageTitle>
      <BackLink to="/design">Back to design methods</BackLink>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-10 gap-y-5 border-b border-line pb-6">
        <h1 className="display-2">{unbroken(title)}</h1>
        <ol aria-label="Steps" className="flex gap-5">
          {steps.map((name, index) => (
            <li
              key={name}
              aria-current={index + 1 === step ? "step" : undefined}
              className={cn(
                "flex items-center gap-2 border-b-[3px] base:border-line pb-1.5 text-sm font-semibold base:text-ink-soft",
                index + 1 <= step && "border-tomato text-ink",
              )}
            >
              <span className="tabular-nums">{index + 1}</span>
              {name}
            </li>
          ))}
        </ol>
      </div>
      <div ref={content} tabIndex={-1} className="pt-8 outline-none">
        {children}
      </div>
    </div>
  );
}

/** Prevents a line break at the hyphen of "T-Shirt" on a narrow screen. */
function unbroken(title: string): ReactNode {
  return title.split(/(\S*-\S*)/).map((part) =>
    part.includes("-") ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
