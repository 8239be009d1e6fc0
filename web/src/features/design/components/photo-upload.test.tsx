import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { PhotoUpload } from "./photo-upload";

/** What the form says of a file that this browser reads no pixels of. */
async function choose(name: string, type: string) {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const problems: string[] = [];
  render(
    <PhotoUpload value="" onChange={() => {}} onProblem={(message) => problems.push(message)} />,
  );
  const user = userEvent.setup({ applyAccept: false });
  const input = screen.getByLabelText("Upload Photo");
  await user.upload(input, new File(["not a picture"], name, { type }));
  await waitFor(() => expect(screen.getByText(/Drop your photo here/)).toBeTruthy());
  return problems;
}

test.each([
  ["IMG_0001.HEIC", ""],
  ["IMG_0001.HEIC", "image/heic"],
  ["photo", "image/jpeg"],
])("%s of type '%s' is tried, and the form says why it cannot be used", async (name, type) => {
  expect(await choose(name, type)).toEqual([expect.stringContaining("can't be opened whole")]);
});

test.each([
  ["notes", ""],
  ["letter.pdf", "application/pdf"],
  ["letter.jpg", "application/pdf"],
])("%s of type '%s' is ignored", async (name, type) => {
  expect(await choose(name, type)).toEqual([]);
});
