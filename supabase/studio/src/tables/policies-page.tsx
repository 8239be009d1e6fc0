/** Every table's policies, with their expressions as they are written. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { call } from "../api/calls";
import { Badge } from "../components/badge";
import { Failure } from "../components/failure";
import { Scroller } from "../components/scroller";
import { SearchField } from "../components/search-field";
import { PolicyList } from "./policy-list";
import { bySchema, isPlatform, tableAddress } from "./tables-page";

const SHARED = new Set(["auth", "storage", "realtime"]);

export function PoliciesPage() {
  const [search, setSearch] = useState("");
  const tables = useQuery({ queryKey: ["tables"], queryFn: () => call("tables") });
  const query = search.toLowerCase();
  // Of the platform's schemas those count in which projects write policies: storage.objects, for one.
  const groups = bySchema(tables.data ?? [])
    .filter((table) => table.kind === "table")
    .filter((table) =>
      isPlatform(table.schema) ? SHARED.has(table.schema) && table.policies.length > 0 : true,
    )
    .filter(
      (table) =>
        `${table.schema}.${table.name}`.toLowerCase().includes(query) ||
        table.policies.some((policy) => policy.name.toLowerCase().includes(query)),
    );
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2.5">
        <h2 className="text-lg">Policies</h2>
        <div className="ml-auto w-full sm:w-72">
          <SearchField title="Search tables and policies" value={search} onChange={setSearch} />
        </div>
      </div>
      {tables.error ? <Failure error={tables.error} /> : null}
      <Scroller label="Policies">
        {groups.map((table) => (
          <section key={`${table.schema}.${table.name}`} className="border-b border-line p-4">
            <div className="mb-2 flex flex-wrap items-center gap-3">
              <h3 className="font-semibold">
                <Link
                  className="text-link underline underline-offset-2"
                  to={tableAddress(table.schema, table.name)}
                >
                  {table.schema}.{table.name}
                </Link>
              </h3>
              <Badge tone={table.rls ? "green" : "red"}>
                {table.rls ? "row-level security" : "no row-level security"}
              </Badge>
            </div>
            {table.policies.length > 0 ? (
              <Scroller
                label={`${table.schema}.${table.name}`}
                className="rounded-lg border border-line"
              >
                <PolicyList policies={table.policies} />
              </Scroller>
            ) : (
              <p className="text-sm text-ink-soft">
                {table.rls
                  ? "No policy: roles of the API see no row and write none."
                  : "No policy, and none is needed: every role with a right sees every row."}
              </p>
            )}
          </section>
        ))}
        {tables.data && groups.length === 0 ? (
          <p className="p-6 text-ink-soft">No table has this name.</p>
        ) : null}
      </Scroller>
    </div>
  );
}
