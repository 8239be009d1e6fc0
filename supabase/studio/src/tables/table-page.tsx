/** A table's rows as the chosen role sees them, its policies, and what changes them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import { call, type Table } from "../api/calls";
import { readAnew } from "../api/read-anew";
import { Badge } from "../components/badge";
import { Button } from "../components/button";
import { ConfirmDialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { roleName, useRole } from "../role";
import { download, toCsv } from "./csv";
import { type Filter, FilterBar } from "./filter-bar";
import { PolicyList } from "./policy-list";
import { RowForm } from "./row-form";
import { RowGrid } from "./row-grid";
import { useTables } from "./tables-page";
import { WhyHidden } from "./why-hidden";

const PAGE = 100;

export function TablePage() {
  const { schema, table: name } = useParams();
  const table = useTables().find((each) => each.schema === schema && each.name === name);
  if (!table) return <p className="p-6">There is no table {`${schema}.${name}`}.</p>;
  return <Rows key={`${schema}.${name}`} table={table} />;
}

/** The filters and the order are in the address, so that a foreign key is a link and Back works. */
function useView(): {
  filters: Filter[];
  order: { column: string; descending: boolean }[];
  offset: number;
  set: (change: { filters?: Filter[]; sort?: string; offset?: number }) => void;
} {
  const [params, setParams] = useSearchParams();
  const filters = params.getAll("filter").map((text): Filter => {
    const [column = "", operator = "equals", ...value] = text.split("|");
    return { column, operator, value: value.join("|") };
  });
  const sort = params.get("sort") ?? "";
  const offset = Number(params.get("offset") ?? 0) || 0;
  return {
    filters,
    order: sort ? [{ column: sort.replace(/^-/, ""), descending: sort.startsWith("-") }] : [],
    offset,
    set: (change) =>
      setParams((old) => {
        const next = new URLSearchParams(old);
        next.delete("offset");
        if (change.filters) {
          next.delete("filter");
          for (const { column, operator, value } of change.filters)
            next.append("filter", `${column}|${operator}|${value}`);
        }
        if (change.sort !== undefined) next.set("sort", change.sort);
        if (change.offset) next.set("offset", String(change.offset));
        return next;
      }),
  };
}

function Rows({ table }: { table: Table }) {
  const { role } = useRole();
  const view = useView();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState(false);
  const [editing, setEditing] = useState<number | "new" | null>(null);
  const [editedColumn, setEditedColumn] = useState<string>();
  const [hiddenRow, setHiddenRow] = useState<string | null>(null);
  const [showPolicies, setShowPolicies] = useState(false);
  const names = { schema: table.schema, table: table.name };
  const rows = useQuery({
    queryKey: ["rows", names, view.filters, view.order, view.offset, role],
    queryFn: () =>
      call("rows", {
        ...names,
        filters: view.filters,
        order: view.order.length ? view.order : keyOrder(table),
        limit: PAGE,
        offset: view.offset,
        role,
      }),
    placeholderData: keepPreviousData,
  });
  const reload = () => {
    setChosen(new Set());
    return readAnew(client, ["rows"]);
  };
  const remove = useMutation({
    mutationFn: () => call("delete", { ...names, ids: [...chosen], role }),
    onSuccess: reload,
  });
  const bring = useMutation({
    mutationFn: async (file: File) => call("import", { ...names, csv: await file.text(), role }),
    onSuccess: reload,
  });
  const data = rows.data;
  const hidden = data?.visible
    ? data.rows.length - data.visible.length
    : data?.readable === false
      ? data.rows.length
      : 0;
  return (
    <div className="flex flex-col md:h-full">
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2.5">
        <h3 className="text-lg">{table.name}</h3>
        {table.kind === "table" ? (
          <Badge tone={table.rls ? "green" : "red"}>
            {table.rls ? "row-level security" : "no row-level security"}
          </Badge>
        ) : (
          <Badge>{table.kind}</Badge>
        )}
        {hidden > 0 ? (
          <Badge tone="yellow">
            {hidden} of these {data?.rows.length} rows hidden from {roleName(role)}
          </Badge>
        ) : null}
        <div className="ml-auto flex flex-wrap gap-2">
          {chosen.size > 0 ? (
            <Button variant="danger" onClick={() => setDeleting(true)}>
              Delete {chosen.size}
            </Button>
          ) : null}
          {table.policies.length > 0 ? (
            <Button
              variant="secondary"
              aria-expanded={showPolicies}
              onClick={() => setShowPolicies(!showPolicies)}
            >
              Policies
            </Button>
          ) : null}
          <Button
            variant="secondary"
            disabled={!data}
            onClick={() => data && download(`${table.name}.csv`, toCsv(data.columns, data.rows))}
          >
            Export CSV
          </Button>
          {table.kind === "table" ? <ImportButton onChoose={(file) => bring.mutate(file)} /> : null}
          {table.kind === "table" ? (
            <Button onClick={() => setEditing("new")}>Add row</Button>
          ) : null}
        </div>
      </div>
      {showPolicies ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without it no key would scroll it
          tabIndex={0}
          aria-label="Policies"
          className="max-h-64 overflow-auto border-b border-line"
        >
          <PolicyList policies={table.policies} />
        </section>
      ) : null}
      <FilterBar
        key={JSON.stringify(view.filters)}
        columns={table.columns}
        filters={view.filters}
        onChange={(filters) => view.set({ filters })}
      />
      {rows.error ? <Failure error={rows.error} /> : null}
      {remove.error ? <Failure error={remove.error} /> : null}
      {bring.error ? <Failure error={bring.error} /> : null}
      {bring.data ? (
        <p role="status" className="px-4 py-2 text-sm">
          {bring.data.count} rows imported.
        </p>
      ) : null}
      {data ? (
        <RowGrid
          table={table}
          data={data}
          order={view.order[0]}
          chosen={chosen}
          onSort={(sort) => view.set({ sort })}
          onChoose={setChosen}
          onEdit={(row, column) => {
            setEditedColumn(column);
            setEditing(row);
          }}
          onExplain={setHiddenRow}
        />
      ) : null}
      <div className="flex items-center gap-3 border-t border-line px-4 py-2 text-sm">
        <span>
          {data
            ? data.rows.length
              ? `Rows ${view.offset + 1} to ${view.offset + data.rows.length}`
              : "No rows"
            : "Loading …"}
        </span>
        <Button
          variant="ghost"
          className="ml-auto"
          disabled={view.offset === 0}
          onClick={() => view.set({ offset: Math.max(0, view.offset - PAGE) })}
        >
          Previous
        </Button>
        <Button
          variant="ghost"
          disabled={!data?.more}
          onClick={() => view.set({ offset: view.offset + PAGE })}
        >
          Next
        </Button>
      </div>
      {deleting ? (
        <ConfirmDialog
          title={`Delete ${chosen.size} ${chosen.size === 1 ? "row" : "rows"}?`}
          description={`From ${table.schema}.${table.name}, as ${roleName(role)}. This cannot be undone.`}
          confirm="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={() => remove.mutate()}
        />
      ) : null}
      {editing !== null && data ? (
        <RowForm
          table={table}
          place={editing === "new" ? null : (data.ids?.[editing] ?? null)}
          values={editing === "new" ? null : rowValues(data.columns, data.rows[editing])}
          column={editing === "new" ? undefined : editedColumn}
          onClose={() => setEditing(null)}
          onSaved={reload}
        />
      ) : null}
      {hiddenRow ? (
        <WhyHidden table={table} place={hiddenRow} role={role} onClose={() => setHiddenRow(null)} />
      ) : null}
    </div>
  );
}

function ImportButton({ onChoose }: { onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV to import"
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onChoose(file);
          event.target.value = "";
        }}
      />
      <Button variant="secondary" onClick={() => input.current?.click()}>
        Import CSV
      </Button>
    </>
  );
}

function keyOrder(table: Table) {
  return table.columns
    .filter((column) => column.key)
    .map((column) => ({ column: column.name, descending: false }));
}

function rowValues(columns: string[], row: (string | null)[] | undefined) {
  return Object.fromEntries(columns.map((name, at) => [name, row?.[at] ?? null]));
}
