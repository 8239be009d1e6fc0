import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Field, Input } from "./field";

test("a field's hint describes its control", () => {
  render(
    <Field label="Access token" hint="Without one the anon key is sent.">
      {(ids) => <Input {...ids} />}
    </Field>,
  );
  const control = screen.getByRole("textbox", {
    name: "Access token",
    description: "Without one the anon key is sent.",
  });
  expect(control.getAttribute("aria-invalid")).toBeNull();
});

test("an error takes the hint's place and marks the control", () => {
  render(
    <Field label="Payload" hint="As JSON" error="The payload is not JSON.">
      {(ids) => <Input {...ids} />}
    </Field>,
  );
  const control = screen.getByRole("textbox", { description: "The payload is not JSON." });
  expect(control.getAttribute("aria-invalid")).toBe("true");
});
