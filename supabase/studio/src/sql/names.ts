/** The names that statements are completed with: schemas, tables with their columns, and functions. */
import type { Completion } from "@codemirror/autocomplete";
import type { SQLNamespace } from "@codemirror/lang-sql";
import { call, type Table } from "../api/calls";

interface DatabaseFunction {
  schema: string;
  name: string;
  arguments: string;
}

const FUNCTIONS = `select distinct on (1, 2) n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and p.prorettype <> 'trigger'::regtype
  order by 1, 2, 3 limit 1000`;

const RESERVED = "select word from pg_get_keywords() where catcode in ('R', 'T')";

interface DatabaseWords {
  /** Of overloaded ones the first. */
  functions: DatabaseFunction[];
  /** Words that are no names unless they are quoted. */
  reserved: ReadonlySet<string>;
}

export const NO_WORDS: DatabaseWords = { functions: [], reserved: new Set() };

export async function databaseWords(): Promise<DatabaseWords> {
  const { results } = await call("run", { sql: `${FUNCTIONS}; ${RESERVED}`, read_only: true });
  return {
    functions: (results[0]?.rows ?? []).map(([schema, name, parameters]) => ({
      schema: schema ?? "",
      name: name ?? "",
      arguments: parameters ?? "",
    })),
    reserved: new Set((results[1]?.rows ?? []).map(([word]) => word ?? "")),
  };
}

/** A name as SQL has to write it. */
export function quoted(name: string, reserved: ReadonlySet<string>): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name);
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

export function namesOf(tables: Table[], { functions, reserved }: DatabaseWords): SQLNamespace {
  /** Offered above keywords. */
  const completion = (name: string, type: string, detail: string): Completion => ({
    label: name,
    type,
    detail,
    apply: quoted(name, reserved),
    boost: 50,
  });
  const schemas: Record<string, Record<string, SQLNamespace>> = {};
  for (const { schema, name, arguments: detail } of functions) {
    schemas[schema] ??= {};
    schemas[schema][name] = {
      self: { ...completion(name, "function", `(${detail})`), apply: `${quoted(name, reserved)}(` },
      children: [],
    };
  }
  for (const { schema, name, kind, columns } of tables) {
    schemas[schema] ??= {};
    schemas[schema][name] = {
      self: completion(name, "class", kind),
      children: columns.map((column) => completion(column.name, "property", column.type)),
    };
  }
  return Object.fromEntries(
    Object.entries(schemas).map(([schema, children]) => [
      schema,
      { self: completion(schema, "namespace", "schema"), children },
    ]),
  );
}
