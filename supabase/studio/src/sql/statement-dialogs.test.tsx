import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { HistoryDialog, SaveDialog, SavedDialog } from "./statement-dialogs";
import { rememberRun, runStatements, savedStatements, saveStatement } from "./statements";

const nothing = () => undefined;

test("a statement of the history is found and chosen", async () => {
  rememberRun("notes", "select title from notes");
  rememberRun("notes", "select 1");
  const choose = vi.fn();
  render(<HistoryDialog project="notes" onChoose={choose} onClose={nothing} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
  await userEvent.type(screen.getByLabelText("Search the history"), "TITLE");
  await userEvent.click(screen.getByRole("button", { name: /^select title/ }));
  expect(choose).toHaveBeenCalledExactlyOnceWith("select title from notes");
});

test("a history is cleared", async () => {
  rememberRun("notes", "select 1");
  render(<HistoryDialog project="notes" onChoose={nothing} onClose={nothing} />);
  const clear = screen.getByRole("button", { name: "Clear the history" });
  await userEvent.click(clear);
  expect(screen.getByText("None yet.")).toBeDefined();
  expect(runStatements("notes")).toEqual([]);
  expect(clear).toHaveProperty("disabled", true);
});

test("a saved statement is chosen by its name, or deleted", async () => {
  saveStatement("notes", "titles", "select title from notes");
  const choose = vi.fn();
  render(<SavedDialog project="notes" onChoose={choose} onClose={nothing} />);
  await userEvent.click(screen.getByRole("button", { name: /^titles/ }));
  expect(choose).toHaveBeenCalledExactlyOnceWith("select title from notes");
  await userEvent.click(screen.getByRole("button", { name: "Delete titles" }));
  expect(screen.getByText("None yet.")).toBeDefined();
  expect(savedStatements("notes")).toEqual([]);
});

test("a name that is taken says so, and replaces the statement", async () => {
  saveStatement("notes", "titles", "select 1");
  const close = vi.fn();
  render(<SaveDialog project="notes" sql="select 2" onClose={close} />);
  await userEvent.type(screen.getByLabelText("Name"), " titles");
  expect(screen.getByText("Replaces the one of this name.")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(close).toHaveBeenCalledOnce();
  expect(savedStatements("notes")).toEqual([{ name: "titles", sql: "select 2" }]);
});

test("statements that cannot be saved leave the dialog open with the reason", async () => {
  const close = vi.fn();
  render(<SaveDialog project="notes" sql={"x".repeat(20_000)} onClose={close} />);
  await userEvent.type(screen.getByLabelText("Name"), "long");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(screen.getByRole("alert").textContent).toContain("10000 characters at most");
  expect(close).not.toHaveBeenCalled();
});
