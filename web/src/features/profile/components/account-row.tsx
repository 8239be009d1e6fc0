import type { ReactNode } from "react";

interface AccountRowProps {
  title: string;
  text: ReactNode;
  /** Its button. */
  children: ReactNode;
}

/** One thing to do with the account: what it does on the left, its button on the right. */
export function AccountRow({ title, text, children }: AccountRowProps) {
  return (
    <section className="flex flex-col items-start gap-3 border-t border-line py-5 first-of-type:border-t-0 first-of-type:pt-0 last-of-type:pb-0 sm:flex-row sm:items-center sm:justify-between sm:gap-8">
      <div className="max-w-[46ch]">
        <h3 className="text-base font-bold">{title}</h3>
        <p className="mt-0.5 text-[0.95rem] text-ink-soft">{text}</p>
      </div>
      {children}
    </section>
  );
}
