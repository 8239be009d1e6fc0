import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useOnline } from "./use-online";

test("going offline and back is noticed", () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  const { result } = renderHook(useOnline);
  expect(result.current).toBe(true);
  online.mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
  expect(result.current).toBe(false);
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(result.current).toBe(true);
});
