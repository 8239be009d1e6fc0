import { act, render, screen } from "@testing-library/react";
import { Toaster } from "sonner";
import { beforeEach, expect, test, vi } from "vitest";

import { DESIGN_ID } from "@/testing/backend";
import { shareDesignLink } from "./share-link";

const URL = `${location.origin}/design/${DESIGN_ID}`;
const writeText = vi.fn();

beforeEach(() => {
  writeText.mockReset();
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  render(<Toaster />);
});

test("the link is copied, and a toast says so", async () => {
  await act(() => shareDesignLink(DESIGN_ID));
  expect(writeText).toHaveBeenCalledExactlyOnceWith(URL);
  expect(await screen.findByText("Design link has been copied to your clipboard.")).toBeTruthy();
});

test("a clipboard out of reach: the toast holds the link", async () => {
  writeText.mockRejectedValue(new DOMException("denied", "NotAllowedError"));
  await act(() => shareDesignLink(DESIGN_ID));
  expect(await screen.findByText(`Share this design: ${URL}`)).toBeTruthy();
  await act(() => shareDesignLink(DESIGN_ID, "gallery"));
  expect(await screen.findByText("Share")).toBeTruthy();
  expect(await screen.findByText(URL)).toBeTruthy();
});
