import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Editor } from "./editor";

function shown(value: string) {
  const calls = { onChange: vi.fn(), onSelect: vi.fn(), onRun: vi.fn(), onMeasure: vi.fn() };
  const element = (text: string) => (
    <Editor label="Statements" value={text} names={{}} {...calls} />
  );
  const { rerender } = render(element(value));
  const field = screen.getByRole("textbox", { name: "Statements" });
  return { ...calls, field, show: (text: string) => rerender(element(text)) };
}

test("the editor has its statements, and those that take their place", () => {
  const { field, show, onChange } = shown("select 1");
  expect(field.textContent).toBe("select 1");
  show("select 2");
  expect(field.textContent).toBe("select 2");
  expect(onChange).toHaveBeenLastCalledWith("select 2");
});

test("Ctrl+Enter runs and with Shift measures, and neither writes a line", () => {
  const { field, onRun, onMeasure, onChange } = shown("select 1");
  fireEvent.keyDown(field, { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true });
  expect([onRun.mock.calls.length, onMeasure.mock.calls.length]).toEqual([1, 0]);
  fireEvent.keyDown(field, {
    key: "Enter",
    code: "Enter",
    keyCode: 13,
    ctrlKey: true,
    shiftKey: true,
  });
  expect([onRun.mock.calls.length, onMeasure.mock.calls.length]).toEqual([1, 1]);
  expect(onChange).not.toHaveBeenCalled();
});

test("the selection is told", () => {
  const { field, onSelect } = shown("select 1");
  field.focus();
  fireEvent.keyDown(field, { key: "a", code: "KeyA", keyCode: 65, ctrlKey: true });
  expect(onSelect).toHaveBeenLastCalledWith("select 1");
});
