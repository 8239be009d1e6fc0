/** Statements with their results, and plans. Ctrl+Enter runs, with Shift it measures; what is selected runs alone. */
import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Label, Textarea } from "@/components/ui/field";
import { ApiError, call, type Result } from "../api";
import { Failure } from "../failure";
import { roleName, useRole } from "../role";
import { download, toCsv } from "../tables/csv";
import { PlanTree } from "./plan-tree";

const KEY = "studio-sql";

export function SqlPage() {
  const { role } = useRole();
  const [text, setText] = useState(() => sessionStorage.getItem(KEY) ?? "");
  const editor = useRef<HTMLTextAreaElement>(null);
  const run = useMutation({ mutationFn: (sql: string) => call("run", { sql, role }) });
  const explain = useMutation({
    mutationFn: ({ sql, analyze }: { sql: string; analyze: boolean }) =>
      call("explain", { sql, analyze, role }),
  });
  const selectedSql = () => {
    const area = editor.current;
    const selected = area?.value.slice(area.selectionStart, area.selectionEnd) ?? "";
    return selected.trim() ? selected : text;
  };
  const start = () => {
    explain.reset();
    run.mutate(selectedSql());
  };
  const plan = (analyze: boolean) => {
    run.reset();
    explain.mutate({ sql: selectedSql().replace(/;\s*$/, ""), analyze });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (event.shiftKey) plan(true);
      else start();
    }
  };
  const error = run.error ?? explain.error;
  const position = error instanceof ApiError ? error.more.position : undefined;
  return (
    <div className="flex h-full flex-col">
      <h2 className="sr-only">SQL</h2>
      <div className="border-b border-line p-4">
        <Label htmlFor="sql">Statements</Label>
        <Textarea
          id="sql"
          ref={editor}
          spellCheck={false}
          autoCapitalize="off"
          className="mt-1.5 min-h-40 font-mono text-sm"
          value={text}
          data-filter
          aria-keyshortcuts="Control+Enter Control+Shift+Enter"
          onChange={(event) => {
            setText(event.target.value);
            sessionStorage.setItem(KEY, event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button size="sm" busy={run.isPending} disabled={!text.trim()} onClick={start}>
            Run as {roleName(role)}
          </Button>
          <Button
            size="sm"
            variant="secondary"
            busy={explain.isPending}
            disabled={!text.trim()}
            onClick={() => plan(false)}
          >
            Explain
          </Button>
          <Button
            size="sm"
            variant="secondary"
            disabled={!text.trim() || explain.isPending}
            onClick={() => plan(true)}
          >
            Explain and measure
          </Button>
          <span className="text-sm text-ink-soft">
            Ctrl+Enter runs, with Shift it measures; measuring undoes what it writes.
          </span>
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-auto p-4">
        {error ? <Failure error={error} /> : null}
        {position ? (
          <pre className="mt-2 overflow-x-auto text-sm">
            {pointer(run.variables ?? text, position)}
          </pre>
        ) : null}
        {run.data ? (
          <>
            <p role="status" className="text-sm text-ink-soft">
              Done in {run.data.ms} ms.
            </p>
            {run.data.notices.map((notice) => (
              <p key={notice} className="font-mono text-sm">
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
      </div>
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

function ResultTable({ result }: { result: Result }) {
  const summary = `${result.command} ${result.count}`;
  if (result.columns.length === 0) return <p className="mt-3 font-mono text-sm">{summary}</p>;
  return (
    <div className="mt-3">
      <div className="flex items-center gap-3 text-sm">
        <span className="font-mono">{summary}</span>
        {result.truncated ? <span>The first {result.rows.length} rows are shown.</span> : null}
        <Button
          size="sm"
          variant="link"
          onClick={() =>
            download(
              "result.csv",
              toCsv(
                result.columns.map((each) => each.name),
                result.rows,
              ),
            )
          }
        >
          Export CSV
        </Button>
      </div>
      <div className="mt-1 overflow-x-auto rounded-lg border border-line">
        <table className="grid-table">
          <thead>
            <tr>
              {result.columns.map((column, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                <th key={at} scope="col" title={column.type}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {result.rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own
              <tr key={at}>
                {row.map((value, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                  <td key={column} title={value ?? "NULL"}>
                    {value ?? <span className="text-ink-soft italic">NULL</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
