import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useTimeLeft } from "./use-time-left";

function promotionEnds(at: string) {
  const block = document.getElementById("teesmith-env");
  if (block) block.textContent = JSON.stringify({ PROMO_ENDS_AT: at });
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

test("the time left goes down every second, and ends", () => {
  promotionEnds("2026-11-22T12:00:02Z");
  const { result } = renderHook(useTimeLeft);
  expect(result.current).toEqual({ days: "00", hours: "00", minutes: "00", seconds: "02" });
  act(() => vi.advanceTimersByTime(1000));
  expect(result.current?.seconds).toBe("01");
  act(() => vi.advanceTimersByTime(1000));
  expect(result.current).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

test("a page that names no end has the end of the first promotion, which is over", () => {
  expect(renderHook(useTimeLeft).result.current).toBeNull();
});

test("the clock stops with the page", () => {
  promotionEnds("2026-12-24T00:00:00Z");
  const { unmount } = renderHook(useTimeLeft);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
