import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import type { Table } from "../api/calls";
import { namesOf, quoted } from "./names";
import { postgres } from "./postgres";

const table = (schema: string, name: string, columns: string[]) =>
  ({
    schema,
    name,
    kind: "table",
    columns: columns.map((column) => ({ name: column, type: "text" })),
  }) as unknown as Table;

const NAMES = namesOf(
  [
    table("public", "notes", ["id", 'Odd "name']),
    table("private", "secrets", ["key"]),
    table("private", "order", []),
  ],
  {
    functions: [{ schema: "public", name: "add_note", arguments: "title text" }],
    reserved: new Set(["order", "user"]),
  },
);

/** What is offered at the end of a statement, with what is written for it. */
async function offered(text: string): Promise<Map<string, unknown>> {
  const state = EditorState.create({ doc: text, extensions: [postgres(NAMES)] });
  const context = new CompletionContext(state, text.length, true);
  const sources = state.languageDataAt<(at: CompletionContext) => CompletionResult | null>(
    "autocomplete",
    text.length,
  );
  const results = await Promise.all(sources.map((source) => source(context)));
  return new Map(
    results.flatMap((result) =>
      (result?.options ?? []).map((option) => [option.label, option.apply] as const),
    ),
  );
}

test("tables and functions of public and the other schemas are offered", async () => {
  const names = await offered("select * from ");
  for (const name of ["notes", "add_note", "private", "select"])
    expect([...names.keys()]).toContain(name);
  expect(names.has("secrets")).toBe(false);
  expect(names.get("add_note")).toBe("add_note(");
});

test("a schema's tables and a table's columns are offered behind the dot", async () => {
  expect([...(await offered("select * from private.")).keys()]).toEqual(["secrets", "order"]);
  expect([...(await offered("select notes.")).keys()]).toEqual(["id", 'Odd "name']);
  expect([...(await offered("select private.secrets.")).keys()]).toEqual(["key"]);
});

test("a name that SQL would read otherwise is written quoted", async () => {
  expect((await offered("select * from private.")).get("order")).toBe('"order"');
  expect((await offered("select notes.")).get('Odd "name')).toBe('"Odd ""name"');
  const written = ["id", "Id", "a b", "1a", "user"].map((name) => quoted(name, new Set(["user"])));
  expect(written).toEqual(["id", '"Id"', '"a b"', '"1a"', '"user"']);
});
