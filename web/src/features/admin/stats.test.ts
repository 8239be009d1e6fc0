import { expect, test } from "vitest";
import { formatDuration, toOrderStats } from "./stats";

test("the average is over paid orders", () => {
  expect(toOrderStats({ revenue_cents: 5970, paid_orders: 2, new_this_week: 1 })).toEqual({
    revenue: 59.7,
    averageOrderValue: 29.85,
    paidOrders: 2,
    newThisWeek: 1,
  });
});

test("without a paid order the average is nothing, not a division by nothing", () => {
  const none = { revenue_cents: 0, paid_orders: 0, new_this_week: 4 };
  expect(toOrderStats(none).averageOrderValue).toBe(0);
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
