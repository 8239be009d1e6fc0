import type { ReactNode } from "react";
import { PageTitle } from "@/components/page-title";
import { SUPPORT_EMAIL } from "@/shop/support";

export interface Clause {
  title: string;
  body: ReactNode;
}

interface LegalPageProps {
  title: string;
  /** The whole text in a sentence or two, before the whole text. */
  summary: ReactNode;
  updated: string;
  clauses: Clause[];
}

const idOf = (title: string) => title.toLowerCase().replace(/[^a-z]+/g, "-");

/** A long plain text: contents beside it on wide screens, numbered clauses, a person's address at its end. */
export function LegalPage({ title, summary, updated, clauses }: LegalPageProps) {
  return (
    <div className="shell py-12 sm:py-16">
      <PageTitle>{title}</PageTitle>
      <header className="max-w-3xl">
        <h1 className="display-2">{title}</h1>
        <p className="mt-6 text-xl leading-relaxed text-ink-soft">{summary}</p>
        <p className="slug mt-4">Last updated {updated}</p>
      </header>
      <div className="mt-12 grid gap-x-16 gap-y-8 border-t border-line pt-10 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label="Contents" className="hidden lg:block">
          <ol className="sticky top-26 flex flex-col gap-2.5 text-[0.95rem] text-ink-soft">
            {clauses.map((clause) => (
              <li key={clause.title}>
                <a
                  href={`#${idOf(clause.title)}`}
                  className="rounded-sm underline-offset-4 hover:text-ink hover:underline"
                >
                  {clause.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="legal-text max-w-2xl">
          {clauses.map((clause, index) => (
            <section key={clause.title} id={idOf(clause.title)}>
              <h2>
                <span className="mr-3 text-ink-soft tabular-nums">{index + 1}</span>
                {clause.title}
              </h2>
              {clause.body}
            </section>
          ))}
          <section id="questions">
            <h2>
              <span className="mr-3 text-ink-soft tabular-nums">{clauses.length + 1}</span>
              Questions
            </h2>
            <p>
              Write to <a href={`mailto:${SUPPORT_EMAIL}`}>{SUPPORT_EMAIL}</a>. A person reads it.
            </p>
          </section>
        </div>
      </div>
    </div>
  );
}
