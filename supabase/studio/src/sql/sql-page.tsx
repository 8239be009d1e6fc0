/** Statements with their results, and plans. What is selected runs alone. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { ApiError, call } from "../api/calls";
import { useProject } from "../api/services";
import { Button } from "../components/button";
import { Failure } from "../components/failure";
import { Scroller } from "../components/scroller";
import { roleName, useRole } from "../role";
import { databaseWords, NO_WORDS, namesOf } from "./names";
import { PlanTree } from "./plan-tree";
import { ResultTable } from "./result-table";
import { HistoryDialog, SaveDialog, SavedDialog } from "./statement-dialogs";
import { rememberRun } from "./statements";

const KEY = "studio-sql";
const Editor = lazy(async () => ({ default: (await import("./editor")).Editor }));

function useNames() {
  const tables = useQuery({ queryKey: ["tables"], queryFn: () => call("tables") });
  const words = useQuery({ queryKey: ["database-words"], queryFn: databaseWords });
  return useMemo(
    () => namesOf(tables.data ?? [], words.data ?? NO_WORDS),
    [tables.data, words.data],
  );
}

export function SqlPage() {
  const { role } = useRole();
  const project = useProject().data?.name;
  const names = useNames();
  const [text, setText] = useState(() => sessionStorage.getItem(KEY) ?? "");
  const [selected, setSelected] = useState("");
  const [shown, setShown] = useState<"history" | "saved" | "save" | null>(null);
  const close = () => setShown(null);
  const run = useMutation({ mutationFn: (sql: string) => call("run", { sql, role }) });
  const explain = useMutation({
    mutationFn: ({ sql, analyze }: { sql: string; analyze: boolean }) =>
      call("explain", { sql, analyze, role }),
  });
  const change = (value: string) => {
    setText(value);
    sessionStorage.setItem(KEY, value);
  };
  const choose = (sql: string) => {
    change(sql);
    close();
  };
  const sql = selected.trim() ? selected : text;
  const isEmpty = !text.trim();
  const start = () => {
    if (isEmpty) return;
    explain.reset();
    if (project !== undefined) rememberRun(project, sql);
    run.mutate(sql);
  };
  const plan = (analyze: boolean) => {
    if (isEmpty) return;
    run.reset();
    explain.mutate({ sql: sql.replace(/;\s*$/, ""), analyze });
  };
  const error = run.error ?? explain.error;
  const position = error instanceof ApiError ? error.more.position : undefined;
  return (
    <div className="flex h-full flex-col">
      <h2 className="sr-only">SQL</h2>
      <div className="border-b border-line p-4">
        <Suspense fallback={<p className="min-h-40 text-ink-soft">Loading the editor …</p>}>
          <Editor
            label="Statements"
            value={text}
            names={names}
            onChange={change}
            onSelect={setSelected}
            onRun={start}
            onMeasure={() => plan(true)}
          />
        </Suspense>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button busy={run.isPending} disabled={isEmpty} onClick={start}>
            Run {selected.trim() ? "the selection " : ""}as {roleName(role)}
          </Button>
          <Button
            variant="secondary"
            busy={explain.isPending}
            disabled={isEmpty}
            onClick={() => plan(false)}
          >
            Explain
          </Button>
          <Button
            variant="secondary"
            disabled={isEmpty || explain.isPending}
            onClick={() => plan(true)}
          >
            Explain and measure
          </Button>
          <span className="flex gap-2 sm:ml-auto">
            <Button variant="ghost" disabled={!project} onClick={() => setShown("history")}>
              History
            </Button>
            <Button variant="ghost" disabled={!project} onClick={() => setShown("saved")}>
              Saved
            </Button>
            <Button variant="ghost" disabled={!project || isEmpty} onClick={() => setShown("save")}>
              Save
            </Button>
          </span>
        </div>
        <p className="mt-2 text-sm text-ink-soft">
          Ctrl+Enter runs, with Shift it measures; measuring undoes what it writes.
        </p>
      </div>
      <Scroller label="Results" className="min-h-0 flex-1 p-4">
        {error ? <Failure error={error} /> : null}
        {position ? (
          <pre className="mt-2 text-sm">{pointer(run.variables ?? text, position)}</pre>
        ) : null}
        {run.data ? (
          <>
            <p role="status" className="text-sm text-ink-soft">
              Done in {run.data.ms} ms.
            </p>
            {run.data.notices.map((notice) => (
              <p key={notice} className="font-mono">
                {notice}
              </p>
            ))}
            {run.data.results.map((result, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: results have no names
              <ResultTable key={at} result={result} />
            ))}
          </>
        ) : null}
        {explain.data?.plan[0] ? (
          <PlanTree plan={explain.data.plan[0].Plan} ms={explain.data.plan[0]["Execution Time"]} />
        ) : null}
      </Scroller>
      {project && shown === "history" ? (
        <HistoryDialog project={project} onChoose={choose} onClose={close} />
      ) : null}
      {project && shown === "saved" ? (
        <SavedDialog project={project} onChoose={choose} onClose={close} />
      ) : null}
      {project && shown === "save" ? (
        <SaveDialog project={project} sql={text} onClose={close} />
      ) : null}
    </div>
  );
}

/** The line of the statements where the error is, with a mark below it. `position` counts from 1. */
function pointer(text: string, position: number): string {
  const before = [...text].slice(0, position - 1).join("");
  const lines = before.split("\n");
  const line = text.split("\n")[lines.length - 1] ?? "";
  return `${line}\n${" ".repeat(lines.at(-1)?.length ?? 0)}^`;
}
