/** The rows: those that a role does not see are struck through, with a button that says why. */
import { ArrowDown, ArrowUp, EyeOff, Pencil } from "lucide-react";
import { Link } from "react-router-dom";
import { cn } from "@/lib/cn";
import type { Rows, Table } from "../api";
import { Scroller } from "../scroller";
import { tableAddress } from "./tables-page";

interface Props {
  table: Table;
  data: Rows;
  order: { column: string; descending: boolean } | undefined;
  chosen: ReadonlySet<string>;
  onSort: (sort: string) => void;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onEdit: (row: number) => void;
  onAsk: (place: string) => void;
}

export function RowGrid({ table, data, order, chosen, onSort, onChoose, onEdit, onAsk }: Props) {
  const visible = data.visible ? new Set(data.visible) : null;
  const links = new Map(
    table.foreign_keys
      .filter((key) => key.columns.length === 1)
      .map((key) => [key.columns[0], key] as const),
  );
  const choose = (place: string) => {
    const next = new Set(chosen);
    if (!next.delete(place)) next.add(place);
    onChoose(next);
  };
  return (
    <Scroller label="Rows">
      <table className="grid-table">
        <thead>
          <tr>
            {data.ids ? (
              <th scope="col">
                <span className="sr-only">Row</span>
              </th>
            ) : null}
            {data.columns.map((name) => (
              <th
                key={name}
                scope="col"
                aria-sort={
                  order?.column === name ? (order.descending ? "descending" : "ascending") : "none"
                }
              >
                <button
                  type="button"
                  className="inline-flex items-center gap-1 hover:underline"
                  title={table.columns.find((column) => column.name === name)?.type}
                  onClick={() =>
                    onSort(order?.column === name && !order.descending ? `-${name}` : name)
                  }
                >
                  {name}
                  {order?.column === name ? (
                    order.descending ? (
                      <ArrowDown aria-hidden="true" className="size-3" />
                    ) : (
                      <ArrowUp aria-hidden="true" className="size-3" />
                    )
                  ) : null}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, at) => {
            const place = data.ids?.[at];
            const hidden =
              place !== undefined && (visible ? !visible.has(place) : data.readable === false);
            return (
              <tr
                key={place ?? at}
                data-hidden={hidden || undefined}
                className={cn(hidden && "bg-sunk text-ink-soft line-through")}
              >
                {place === undefined ? null : (
                  <td className="max-w-none! no-underline">
                    <span className="flex items-center gap-1.5">
                      <input
                        type="checkbox"
                        aria-label={`Choose row ${at + 1}`}
                        checked={chosen.has(place)}
                        onChange={() => choose(place)}
                      />
                      <button
                        type="button"
                        aria-label={`Edit row ${at + 1}`}
                        className="rounded p-1 hover:bg-paper"
                        onClick={() => onEdit(at)}
                      >
                        <Pencil aria-hidden="true" className="size-3.5" />
                      </button>
                      {hidden ? (
                        <button
                          type="button"
                          aria-label={`Why is row ${at + 1} hidden?`}
                          className="rounded p-1 text-tomato-text hover:bg-paper"
                          onClick={() => onAsk(place)}
                        >
                          <EyeOff aria-hidden="true" className="size-3.5" />
                        </button>
                      ) : null}
                    </span>
                  </td>
                )}
                {row.map((value, column) => {
                  const name = data.columns[column] ?? "";
                  const key = links.get(name);
                  return (
                    <td key={name} title={value ?? "NULL"}>
                      {value === null ? (
                        <span className="text-ink-soft italic">NULL</span>
                      ) : key ? (
                        <Link
                          className="text-cobalt-text underline underline-offset-2"
                          to={`${tableAddress(key.schema, key.table)}?filter=${encodeURIComponent(
                            `${key.referenced[0]}|equals|${value}`,
                          )}`}
                        >
                          {value}
                        </Link>
                      ) : (
                        value
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroller>
  );
}
