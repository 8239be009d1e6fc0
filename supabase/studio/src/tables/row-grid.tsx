/** The rows: those that a role does not see are struck through, with a button that says why. */
import { ArrowDown, ArrowUp, EyeOff, Pencil } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useState } from "react";
import { Link } from "react-router-dom";
import type { Rows, Table } from "../api/calls";
import { cn } from "../components/classes";
import { Scroller } from "../components/scroller";
import { tableAddress } from "./tables-page";

interface Props {
  table: Table;
  data: Rows;
  order: { column: string; descending: boolean } | undefined;
  chosen: ReadonlySet<string>;
  onSort: (sort: string) => void;
  onChoose: (chosen: ReadonlySet<string>) => void;
  /** `column` is the one to focus first. */
  onEdit: (row: number, column?: string) => void;
  onExplain: (place: string) => void;
}

export function RowGrid({
  table,
  data,
  order,
  chosen,
  onSort,
  onChoose,
  onEdit,
  onExplain,
}: Props) {
  const visible = data.visible ? new Set(data.visible) : null;
  const links = new Map(
    table.foreign_keys
      .filter((key) => key.columns.length === 1)
      .map((key) => [key.columns[0], key] as const),
  );
  // One cell takes part in Tab; the arrow keys go from there.
  const [active, setActive] = useState({ row: 0, column: 0 });
  const first = data.ids ? 1 : 0;
  const placeOf = (cell: HTMLTableCellElement) => ({
    row: (cell.parentElement as HTMLTableRowElement).sectionRowIndex,
    column: cell.cellIndex - first,
  });
  const onFocus = (event: FocusEvent) => {
    const cell = (event.target as Element).closest("td");
    if (cell && cell.cellIndex >= first) setActive(placeOf(cell));
  };
  const isHidden = (place: string | undefined) =>
    place !== undefined && (visible ? !visible.has(place) : data.readable === false);
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const cell = event.target;
    if (!(cell instanceof HTMLTableCellElement) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const { row, column } = placeOf(cell);
    const place = data.ids?.[row];
    const to = moved(event.key, row, column, data);
    if (to) {
      const target = event.currentTarget.tBodies[0]?.rows[to.row]?.cells[to.column + first];
      event.preventDefault();
      event.stopPropagation();
      target?.focus();
      target?.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (event.key === "Enter") {
      const link = cell.querySelector("a");
      event.preventDefault();
      if (event.shiftKey && link) link.click();
      else if (place !== undefined) onEdit(row, data.columns[column]);
    } else if (event.key === " " && place !== undefined) {
      event.preventDefault();
      choose(place);
    } else if (event.key === "w" && place !== undefined && isHidden(place)) onExplain(place);
    else if (event.key === "Escape") event.currentTarget.closest("main")?.focus();
  };
  const choose = (place: string) => {
    const next = new Set(chosen);
    if (!next.delete(place)) next.add(place);
    onChoose(next);
  };
  return (
    <Scroller label="Rows">
      <table className="grid-table" onKeyDown={onKeyDown} onFocus={onFocus}>
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
            const hidden = isHidden(place);
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
                        className="m-1 size-4"
                        aria-label={`Choose row ${at + 1}`}
                        checked={chosen.has(place)}
                        onChange={() => choose(place)}
                      />
                      <button
                        type="button"
                        aria-label={`Edit row ${at + 1}`}
                        className="grid size-6 place-items-center rounded hover:bg-paper"
                        onClick={() => onEdit(at)}
                      >
                        <Pencil aria-hidden="true" className="size-3.5" />
                      </button>
                      {hidden ? (
                        <button
                          type="button"
                          aria-label={`Why is row ${at + 1} hidden?`}
                          className="grid size-6 place-items-center rounded text-danger hover:bg-paper"
                          onClick={() => onExplain(place)}
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
                    <td
                      key={name}
                      title={value ?? "NULL"}
                      tabIndex={at === active.row && column === active.column ? 0 : -1}
                    >
                      {value === null ? (
                        <span className="text-ink-soft italic">NULL</span>
                      ) : key ? (
                        <Link
                          className="text-link underline underline-offset-2"
                          tabIndex={-1}
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

/** Where a key leads from a cell; null for a key that does not move. */
function moved(key: string, row: number, column: number, data: Rows) {
  const bounded = (to: number, count: number) => Math.max(0, Math.min(count - 1, to));
  const [rows, columns] = [data.rows.length, data.columns.length];
  if (key === "ArrowDown") return { row: bounded(row + 1, rows), column };
  if (key === "ArrowUp") return { row: bounded(row - 1, rows), column };
  if (key === "PageDown") return { row: bounded(row + 10, rows), column };
  if (key === "PageUp") return { row: bounded(row - 10, rows), column };
  if (key === "ArrowRight") return { row, column: bounded(column + 1, columns) };
  if (key === "ArrowLeft") return { row, column: bounded(column - 1, columns) };
  if (key === "Home") return { row, column: 0 };
  if (key === "End") return { row, column: columns - 1 };
  return null;
}
