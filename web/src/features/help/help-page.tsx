import { Plus, Search } from "lucide-react";
import { useState } from "react";
import { PageTitle } from "@/components/page-title";
import { ShopLink } from "@/components/shop-link";
import { SUPPORT_EMAIL } from "@/shop/support";
import { searchTopics } from "./search";
import { type Question, TOPICS } from "./topics";

const link = "font-semibold text-cobalt-text underline underline-offset-4";

export function HelpPage() {
  const [search, setSearch] = useState("");
  const topics = searchTopics(TOPICS, search);
  const count = topics.reduce((sum, topic) => sum + topic.questions.length, 0);
  const searching = search.trim() !== "";
  return (
    <div className="shell py-12 sm:py-16">
      <PageTitle>Help Center</PageTitle>
      <h1 className="display-2">Help Center</h1>
      <p className="mt-5 max-w-xl text-lg text-ink-soft">
        Most answers are here. For everything else there is a person at{" "}
        <a className={link} href={`mailto:${SUPPORT_EMAIL}`}>
          {SUPPORT_EMAIL}
        </a>
        .
      </p>
      <div className="relative mt-8 max-w-xl">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-ink-soft"
        />
        <input
          type="search"
          aria-label="Search the help center"
          placeholder="Sizes, refund, tracking..."
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="h-13 w-full rounded-card border-[1.5px] border-line-strong bg-raised pr-4 pl-12 text-lg placeholder:text-ink-soft"
        />
      </div>
      <p role="status" className="slug mt-3 min-h-5">
        {searching ? counted(count) : null}
      </p>
      {count === 0 ? (
        <p className="mt-6 max-w-xl text-lg">
          Nothing here about that. Write to{" "}
          <a className={link} href={`mailto:${SUPPORT_EMAIL}`}>
            {SUPPORT_EMAIL}
          </a>{" "}
          and we answer within a business day.
        </p>
      ) : null}
      <div className="mt-6 flex flex-col gap-12">
        {topics.map((topic) => (
          <section
            key={topic.title}
            aria-label={topic.title}
            className="grid gap-x-12 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,8fr)]"
          >
            <h2 className="display-3">{topic.title}</h2>
            <div className="border-t border-line-strong">
              {topic.questions.map((each) => (
                <Answer key={each.question + searching} {...each} open={searching && count <= 3} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

function counted(count: number): string {
  if (count === 0) return "No answer found";
  return count === 1 ? "1 answer" : `${count} answers`;
}

function Answer({ question, answer, link: next, open }: Question & { open: boolean }) {
  return (
    <details open={open} className="group border-b border-line-strong">
      <summary className="flex items-center justify-between gap-4 py-4">
        <h3 className="text-lg tracking-tight">{question}</h3>
        <Plus
          aria-hidden="true"
          className="size-5 shrink-0 transition-transform group-open:rotate-45 motion-reduce:transition-none"
        />
      </summary>
      <p className="max-w-2xl pb-5 text-ink-soft">
        {answer}
        {next ? (
          <>
            {" "}
            <ShopLink to={next.to} className={link}>
              {next.label}
            </ShopLink>
          </>
        ) : null}
      </p>
    </details>
  );
}
