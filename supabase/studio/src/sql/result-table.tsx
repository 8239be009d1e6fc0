/** A statement's rows, or how many it changed. */
import type { Result } from "../api/calls";
import { Button } from "../components/button";
import { Scroller } from "../components/scroller";
import { download, toCsv } from "../tables/csv";

export function ResultTable({ result }: { result: Result }) {
  const summary = `${result.command} ${result.count}`;
  if (result.columns.length === 0) return <p className="mt-3 font-mono text-sm">{summary}</p>;
  return (
    <div className="mt-3">
      <div className="flex items-center gap-3 text-sm">
        <span className="font-mono">{summary}</span>
        {result.truncated ? <span>The first {result.rows.length} rows are shown.</span> : null}
        <Button
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
      <Scroller label={`Rows of ${summary}`} className="mt-1 rounded-lg border border-line">
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
      </Scroller>
    </div>
  );
}
