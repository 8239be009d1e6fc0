import { expect, test } from "vitest";
import { formatDuration, orderStats } from "./stats";

const NOW = new Date("2026-11-20T12:00:00Z");
const order = (status: string, total: number, created_at = "2026-01-01T00:00:00Z") => ({
  status,
  total,
  created_at,
});

test("revenue counts only orders that are paid for, and the average is over those", () => {
  const stats = orderStats(
    [order("paid", 19.9), order("shipped", 39.8), order("pending", 500), order("cancelled", 700)],
    NOW,
  );
  expect(stats.revenue).toBe(59.7);
  expect(stats.paidOrders).toBe(2);
  expect(stats.averageOrderValue).toBeCloseTo(29.85);
});

test("without a paid order the average is nothing, not a division by nothing", () => {
  expect(orderStats([order("pending", 19.9)], NOW).averageOrderValue).toBe(0);
});

test("new this week means the last seven days", () => {
  const stats = orderStats(
    [order("paid", 1, "2026-11-13T12:00:00Z"), order("paid", 1, "2026-11-13T11:59:59Z")],
    NOW,
  );
  expect(stats.newThisWeek).toBe(1);
});

test.each([
  [0, "0m"],
  [12.4, "12m"],
  [59.4, "59m"],
  [60, "1h 0m"],
  [135, "2h 15m"],
])("%s minutes are written %s", (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text);
});
