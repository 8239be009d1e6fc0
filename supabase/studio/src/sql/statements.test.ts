import { expect, test, vi } from "vitest";
import {
  deleteStatement,
  forgetRuns,
  MOST_CHARACTERS,
  MOST_RUN,
  MOST_SAVED,
  rememberRun,
  runStatements,
  savedStatements,
  saveStatement,
} from "./statements";

const ran = (project: string) => runStatements(project).map(({ sql }) => sql);

test("the history has the newest statement first, each once", () => {
  for (const sql of ["select 1", "select 2", "select 1"]) rememberRun("notes", sql);
  expect(ran("notes")).toEqual(["select 1", "select 2"]);
  expect(Date.parse(runStatements("notes")[0]?.time ?? "")).toBeGreaterThan(Date.now() - 60_000);
});

test("the history ends at its limit, and a very long statement is not in it", () => {
  for (let at = 0; at <= MOST_RUN; at += 1) rememberRun("notes", `select ${at}`);
  rememberRun("notes", "x".repeat(MOST_CHARACTERS + 1));
  expect(ran("notes")).toHaveLength(MOST_RUN);
  expect(ran("notes").at(0)).toBe(`select ${MOST_RUN}`);
  expect(ran("notes").at(-1)).toBe("select 1");
});

test("each project has its own statements", () => {
  rememberRun("notes", "select 1");
  saveStatement("notes", "one", "select 1");
  expect([ran("other"), savedStatements("other")]).toEqual([[], []]);
  forgetRuns("other");
  expect(ran("notes")).toEqual(["select 1"]);
  forgetRuns("notes");
  expect(ran("notes")).toEqual([]);
});

test("a full browser keeps the history as it was", () => {
  rememberRun("notes", "select 1");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  rememberRun("notes", "select 2");
  expect(ran("notes")).toEqual(["select 1"]);
  expect(() => saveStatement("notes", "one", "select 1")).toThrow("full");
  full.mockImplementation(() => {
    throw new Error("another");
  });
  expect(() => rememberRun("notes", "select 3")).toThrow("another");
});

test("saved statements are listed by name, and a name has one", () => {
  saveStatement("notes", "b", "select 2");
  saveStatement("notes", "a", "select 1");
  saveStatement("notes", "b", "select 3");
  expect(savedStatements("notes")).toEqual([
    { name: "a", sql: "select 1" },
    { name: "b", sql: "select 3" },
  ]);
  deleteStatement("notes", "a");
  expect(savedStatements("notes").map(({ name }) => name)).toEqual(["b"]);
});

test("too many saved statements and one that is too long are refused", () => {
  for (let at = 0; at < MOST_SAVED; at += 1) saveStatement("notes", `${at}`, "select 1");
  expect(() => saveStatement("notes", "more", "select 1")).toThrow("delete one first");
  saveStatement("notes", "7", "select 7");
  expect(savedStatements("notes")).toHaveLength(MOST_SAVED);
  expect(() => saveStatement("notes", "7", "x".repeat(MOST_CHARACTERS + 1))).toThrow(
    "10000 characters at most",
  );
});
