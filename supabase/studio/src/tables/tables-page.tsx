/** Every table and view, by schema, beside the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { Eye, LockOpen, Table2 } from "lucide-react";
import { useState } from "react";
import { NavLink, Outlet, useOutletContext, useParams } from "react-router-dom";
import { call, type Table } from "../api/calls";
import { cn } from "../components/classes";
import { Failure } from "../components/failure";
import { SearchField } from "../components/search-field";

// Of the platform: shown, but below the project's own.
const PLATFORM = new Set([
  "_localbase",
  "cron",
  "net",
  "pgmq",
  "supabase_migrations",
  "auth",
  "storage",
  "realtime",
  "extensions",
  "supabase_functions",
  "vault",
]);

export const isPlatform = (schema: string) => PLATFORM.has(schema);

export const useTables = () => useOutletContext<Table[]>();

export function TablesPage() {
  const [search, setSearch] = useState("");
  const { table: open } = useParams();
  const tables = useQuery({ queryKey: ["tables"], queryFn: () => call("tables") });
  const matches = (tables.data ?? []).filter((table) =>
    `${table.schema}.${table.name}`.toLowerCase().includes(search.toLowerCase()),
  );
  const schemas = [...new Set(matches.map((table) => table.schema))].sort(compareSchemas);
  return (
    <div className="grid max-md:grid-cols-1 max-md:grid-rows-[12rem_auto] md:h-full md:grid-cols-[15rem_1fr]">
      <div className="flex min-h-0 flex-col border-line max-md:border-b md:border-r">
        <div className="p-3">
          <h2 className="sr-only">Tables</h2>
          <SearchField title="Search tables" value={search} onChange={setSearch} />
        </div>
        {tables.error ? <Failure error={tables.error} /> : null}
        <nav
          aria-label="Tables"
          data-rows={open ? undefined : true}
          className="min-h-0 flex-1 overflow-y-auto px-2 pb-4"
        >
          {schemas.map((schema) => (
            <details key={schema} open={!PLATFORM.has(schema) || search !== ""}>
              <summary className="cursor-pointer px-2 py-1.5 text-sm font-semibold">
                {schema}
              </summary>
              <ul>
                {matches
                  .filter((table) => table.schema === schema)
                  .map((table) => (
                    <li key={table.name}>
                      <TableLink table={table} />
                    </li>
                  ))}
              </ul>
            </details>
          ))}
        </nav>
      </div>
      <div className="min-h-0 min-w-0">
        {open ? (
          tables.data ? (
            <Outlet context={tables.data} />
          ) : null
        ) : (
          <p className="p-6 text-ink-soft">Choose a table.</p>
        )}
      </div>
    </div>
  );
}

/** `public` first, the project's other schemas, then the platform's. */
const compareSchemas = (one: string, other: string) =>
  rank(one) - rank(other) || one.localeCompare(other);

/** In that order of their schemas. */
export const bySchema = (tables: Table[]) =>
  tables.toSorted((one, other) => compareSchemas(one.schema, other.schema));

function rank(schema: string): number {
  if (schema === "public") return 0;
  return PLATFORM.has(schema) ? 2 : 1;
}

function TableLink({ table }: { table: Table }) {
  const Icon = table.kind === "table" ? Table2 : Eye;
  return (
    <NavLink
      to={tableAddress(table.schema, table.name)}
      className={({ isActive }) =>
        cn(
          "flex items-center gap-2 rounded-md px-2 py-1 text-sm",
          isActive ? "bg-ink text-paper" : "hover:bg-sunk",
        )
      }
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="truncate">{table.name}</span>
      {table.kind === "table" && !table.rls && !PLATFORM.has(table.schema) ? (
        <LockOpen role="img" aria-label="without row-level security" className="ml-auto size-3.5" />
      ) : null}
    </NavLink>
  );
}

export function tableAddress(schema: string, table: string): string {
  return `/tables/${encodeURIComponent(schema)}/${encodeURIComponent(table)}`;
}
