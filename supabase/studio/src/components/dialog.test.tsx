import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { ConfirmDialog, Dialog } from "./dialog";

function Opener({ removed = false }: { removed?: boolean }) {
  const [open, setOpen] = useState(false);
  const [gone, setGone] = useState(false);
  const close = () => {
    setOpen(false);
    setGone(removed);
  };
  return (
    <main tabIndex={-1}>
      {gone ? null : (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      {open ? (
        <Dialog title="A row" description="Of notes" onClose={close}>
          <input aria-label="id" />
          <input aria-label="title" data-first />
        </Dialog>
      ) : null}
    </main>
  );
}

test("a dialog is named by its title and described by the line below it", async () => {
  render(<Opener />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(screen.getByRole("dialog", { name: "A row" })).toHaveProperty("open", true);
  expect(screen.getByRole("dialog", { description: "Of notes" })).toBeDefined();
});

test("the marked field has the focus at first", async () => {
  render(<Opener />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(document.activeElement).toBe(screen.getByLabelText("title"));
});

test("the page has the focus where the opener is gone", async () => {
  render(<Opener removed />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

test("Escape closes a dialog", async () => {
  render(<Opener />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  const dialog = screen.getByRole("dialog");
  // As a browser does at the key.
  const cancel = new Event("cancel", { cancelable: true });
  dialog.dispatchEvent(cancel);
  expect(cancel.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what cannot be undone is done at its button only, once the question is closed", async () => {
  const done: string[] = [];
  render(
    <ConfirmDialog
      title="Delete 2 rows?"
      description="This cannot be undone."
      confirm="Delete"
      onClose={() => done.push("close")}
      onConfirm={() => done.push("delete")}
    />,
  );
  expect(screen.getByRole("alertdialog", { name: "Delete 2 rows?" })).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(done).toEqual(["close"]);
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  expect(done).toEqual(["close", "close", "delete"]);
});
