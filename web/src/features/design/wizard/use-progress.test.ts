import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useProgress } from "./use-progress";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test("progress rises by 20 % every 5 seconds up to 100 %", () => {
  const { result } = renderHook(() => useProgress(true));
  expect(result.current.percent).toBe(0);
  pass(4999);
  expect(result.current.percent).toBe(0);
  pass(1);
  expect(result.current.percent).toBe(20);
  pass(20_000);
  expect(result.current.percent).toBe(100);
  pass(60_000);
  expect(result.current.percent).toBe(100);
});

test("the message changes every 8 seconds, and begins again after the last", () => {
  const { result } = renderHook(() => useProgress(true));
  expect(result.current.message).toBe("AI is analyzing your request...");
  pass(8000);
  expect(result.current.message).toBe("Creating your unique design...");
  pass(8000);
  expect(result.current.message).toBe("Adding finishing touches...");
  pass(8000);
  expect(result.current.message).toBe("AI is analyzing your request...");
});

test("when nothing is loading it is back at the start", () => {
  const { result, rerender } = renderHook(({ loading }) => useProgress(loading), {
    initialProps: { loading: true },
  });
  pass(16_000);
  rerender({ loading: false });
  expect(result.current).toEqual({ percent: 0, message: "AI is analyzing your request..." });
});
