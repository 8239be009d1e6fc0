/** The project's sent mails, unchanged. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { call } from "../api/calls";
import { cn } from "../components/classes";
import { useDebounced } from "../components/debounced";
import { Failure } from "../components/failure";
import { Scroller } from "../components/scroller";
import { SearchField } from "../components/search-field";

export function MailsPage() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed, 250);
  const open = params.get("id");
  const mails = useQuery({
    queryKey: ["mails", search],
    queryFn: () => call("mails", { search }),
    refetchInterval: 3000,
    placeholderData: (before) => before,
  });
  return (
    <div className="grid h-full max-md:grid-cols-1 max-md:grid-rows-[14rem_1fr] md:grid-cols-[20rem_1fr]">
      <div className="flex min-h-0 flex-col border-line max-md:border-b md:border-r">
        <div className="p-3">
          <h2 className="sr-only">Mails</h2>
          <SearchField title="Search mails" value={typed} onChange={setTyped} />
        </div>
        {mails.error ? <Failure error={mails.error} /> : null}
        {mails.data?.mails.length === 0 ? (
          <p className="px-4 text-sm text-ink-soft">No mails{search ? " like this" : " yet"}.</p>
        ) : null}
        <ul data-rows className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
          {mails.data?.mails.map((mail) => (
            <li key={mail.id}>
              <button
                type="button"
                aria-current={open === mail.id || undefined}
                className={cn(
                  "w-full rounded-lg px-3 py-2 text-left text-sm",
                  open === mail.id ? "bg-ink text-paper" : "hover:bg-sunk",
                )}
                onClick={() => setParams({ id: mail.id }, { replace: true })}
              >
                <span className="block truncate font-semibold">{mail.subject}</span>
                <span className="block truncate">
                  {mail.to.join(", ")} · {mail.time.slice(11, 19)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {open ? <OneMail id={open} /> : <p className="p-6 text-ink-soft">Choose a mail.</p>}
    </div>
  );
}

function OneMail({ id }: { id: string }) {
  const mail = useQuery({ queryKey: ["mail", id], queryFn: () => call("mail", { id }) });
  if (mail.error) return <Failure error={mail.error} />;
  if (!mail.data) return null;
  return (
    <article className="flex min-h-0 flex-col">
      <h3 className="border-b border-line px-6 py-3 text-lg">{mail.data.subject}</h3>
      {mail.data.html ? (
        <iframe
          title={mail.data.subject}
          // No script of a mail runs, and its links open outside.
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className="min-h-0 flex-1 bg-white dark:bg-transparent"
          srcDoc={`<base target="_blank">${mail.data.html}`}
        />
      ) : (
        <Scroller label="Text" className="min-h-0 flex-1 p-6 text-sm">
          <pre className="whitespace-pre-wrap">{mail.data.text}</pre>
        </Scroller>
      )}
    </article>
  );
}
