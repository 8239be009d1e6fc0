import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ResultPanel } from "./result-panel";

const SUGGESTED = "Picture Design - Pop art";

function open(suggestedName: string | undefined) {
  const onSave = vi.fn();
  render(
    <ResultPanel
      title="Transformation Complete!"
      failureTitle="Transformation Failed"
      saveLabel="Save & Create Product"
      image="iVBORw0KGgo="
      error={null}
      color={undefined}
      suggestedName={suggestedName}
      saving={false}
      sent={0}
      onSave={onSave}
      onStartOver={() => undefined}
      onRetry={() => undefined}
      onBroken={() => undefined}
    />,
  );
  return { onSave, user: userEvent.setup() };
}

test("a photo's design is offered a name, and keeps the suggested one without it", async () => {
  const { onSave, user } = open(SUGGESTED);
  const save = screen.getByRole("button", { name: "Save & Create Product" });
  await user.click(save);
  expect(screen.getByPlaceholderText(SUGGESTED)).toBeTruthy();
  await user.type(screen.getByLabelText("Name your design"), "Grandma's cat");
  await user.click(save);
  expect(onSave.mock.calls.map(([, name]) => name)).toEqual(["", "Grandma's cat"]);
});

test("a design that has a name is not asked for one", () => {
  open(undefined);
  expect(screen.queryByLabelText("Name your design")).toBeNull();
});
