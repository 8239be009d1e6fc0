import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Button } from "./button";

const page = (busy: boolean) => (
  <>
    <Button busy={busy}>Pay</Button>
    <input />
  </>
);

test("a button that was pressed has the focus again when its work has ended", () => {
  const { rerender } = render(page(false));
  const button = screen.getByRole("button");
  button.focus();
  rerender(page(true));
  // Chromium takes the focus from what is disabled; here it goes by way of the field.
  screen.getByRole("textbox").focus();
  screen.getByRole("textbox").blur();
  expect(document.activeElement).toBe(document.body);
  rerender(page(false));
  expect(document.activeElement).toBe(button);
});

test("a button leaves the focus to what has taken it meanwhile", () => {
  const { rerender } = render(page(false));
  screen.getByRole("button").focus();
  rerender(page(true));
  screen.getByRole("textbox").focus();
  rerender(page(false));
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
});
