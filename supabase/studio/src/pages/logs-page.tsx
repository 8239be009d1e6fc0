/** The logs of all processes as one, by time; a click on a request's id shows all that was done for it. */
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { call, type LogLine } from "../api/calls";
import { cn } from "../components/classes";
import { useDebounced } from "../components/debounced";
import { Failure } from "../components/failure";
import { Field, Input, Select } from "../components/field";
import { Scroller } from "../components/scroller";

export function LogsPage() {
  const [params, setParams] = useSearchParams();
  const service = params.get("service") ?? "";
  const typed = params.get("search") ?? "";
  const search = useDebounced(typed, 250);
  const logs = useQuery({
    queryKey: ["logs", service, search],
    queryFn: () => call("logs", { service, search }),
    placeholderData: (before) => before,
    refetchInterval: 2000,
  });
  const set = (name: string, value: string) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return (
    <div className="flex h-full flex-col">
      <h2 className="sr-only">Logs</h2>
      <div className="flex flex-wrap gap-4 border-b border-line p-4">
        <Field label="Process">
          {(ids) => (
            <Select
              {...ids}
              className="w-44"
              value={service}
              onChange={(event) => set("service", event.target.value)}
            >
              <option value="">All</option>
              {logs.data?.services.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Search, or a request's id" className="flex-1">
          {(ids) => (
            <Input
              {...ids}
              type="search"
              value={typed}
              onChange={(event) => set("search", event.target.value)}
            />
          )}
        </Field>
      </div>
      {logs.error ? <Failure error={logs.error} /> : null}
      <Scroller label="Lines">
        <table className="grid-table">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Process</th>
              <th scope="col" className="max-sm:hidden">
                What
              </th>
              <th scope="col">Request</th>
            </tr>
          </thead>
          <tbody>
            {logs.data?.lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own
              <Line key={at} line={line} follow={(id) => set("search", id)} />
            ))}
          </tbody>
        </table>
        {logs.data?.lines.length === 0 ? (
          <p className="p-6 text-ink-soft">No line has this in it.</p>
        ) : null}
      </Scroller>
    </div>
  );
}

/** A request as method, path, status and time; the functions of some projects write their own name for the path. */
function readLine({ method, path, message = "", status, ms }: LogLine): string {
  return [method, path ?? message, status, ms === undefined ? undefined : `${ms} ms`]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

/** On a phone the text has a row of its own, all of it. */
function Line({ line, follow }: { line: LogLine; follow: (id: string) => void }) {
  const color = cn(((line.status ?? 0) >= 500 || line.severity === "ERROR") && "text-danger");
  const what = readLine(line);
  const id = line.request_id;
  return (
    <>
      <tr className={color}>
        <td>{line.time.slice(11, 23)}</td>
        <td className="max-sm:w-full">{line.service}</td>
        <td className="w-full max-w-0 max-sm:hidden" title={what}>
          {what}
        </td>
        <td>
          {id ? (
            <button
              type="button"
              className="text-link underline underline-offset-2"
              onClick={() => follow(id)}
            >
              {id.slice(0, 8)}
            </button>
          ) : null}
        </td>
      </tr>
      <tr className={cn(color, "sm:hidden")}>
        <td colSpan={3} className="max-w-none border-t-0 pt-0 whitespace-pre-wrap wrap-anywhere">
          {what}
        </td>
      </tr>
    </>
  );
}
