/** The logs of all processes as one, by time; a click on a request's id shows all that was done for it. */
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { Field, Input, NativeSelect } from "@/components/ui/field";
import { cn } from "@/lib/cn";
import { useDebounced } from "@/lib/use-debounced";
import { call, type LogLine } from "./api";
import { Failure } from "./failure";
import { Scroller } from "./scroller";

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
            <NativeSelect
              {...ids}
              className="h-9 w-44 text-sm"
              value={service}
              onChange={(event) => set("service", event.target.value)}
            >
              <option value="">All</option>
              {logs.data?.services.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <Field label="Search, or a request's id" className="flex-1">
          {(ids) => (
            <Input
              {...ids}
              className="h-9 text-sm"
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
              <th scope="col">What</th>
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

function Line({ line, follow }: { line: LogLine; follow: (id: string) => void }) {
  const bad = (line.status ?? 0) >= 500 || line.severity === "ERROR";
  const what = line.method
    ? `${line.method} ${line.path} ${line.status} ${line.ms} ms`
    : (line.message ?? "");
  const id = line.request_id;
  return (
    <tr className={cn(bad && "text-tomato-text")}>
      <td>{line.time.slice(11, 23)}</td>
      <td>{line.service}</td>
      <td className="w-full max-w-0" title={what}>
        {what}
      </td>
      <td>
        {id ? (
          <button
            type="button"
            className="text-cobalt-text underline underline-offset-2"
            onClick={() => follow(id)}
          >
            {id.slice(0, 8)}
          </button>
        ) : null}
      </td>
    </tr>
  );
}
