import { expect, test } from "vitest";
import {
  capitalise,
  formatDate,
  formatMoment,
  formatNextTime,
  formatNumber,
  formatPrice,
  shortId,
} from "./format";

test("prices are US dollars with cents", () => {
  expect(formatPrice(19.9)).toBe("$19.90");
  expect(formatPrice(1234.5)).toBe("$1,234.50");
});

test("numbers, prices and days are what Intl writes", () => {
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
  const record = new Intl.DateTimeFormat("en-US", {
    timeZone: "UTC",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  for (let step = 0; step < 500; step++) {
    // whole cents over ten powers of ten, and seventy years in strides of about seven weeks
    const cents = Math.round(7.3 ** (step / 40) * (step % 3 ? 1 : -1));
    expect(formatPrice(cents / 100)).toBe(dollars.format(cents / 100));
    expect(formatNumber(cents)).toBe(whole.format(cents));
    const date = new Date(step * 4_417_200_000);
    expect(formatDate(date.toISOString())).toBe(day.format(date));
    expect(formatMoment(date.toISOString())).toBe(record.format(date).replace(/\s/g, " "));
  }
});

test("dates are en-US in UTC, whatever the visitor's clock says", () => {
  expect(formatDate("2026-03-01T00:30:00+00:00")).toBe("Mar 1, 2026");
  expect(formatDate("2026-02-28T23:30:00-02:00")).toBe("Mar 1, 2026");
  expect(formatDate("soon")).toBe("");
});

test("a record's time is to the minute, in UTC", () => {
  expect(formatMoment("2026-02-28T23:30:00-02:00")).toBe("Mar 1, 2026, 1:30 AM UTC");
  expect(formatMoment("soon")).toBe("");
});

test("an order number is the end of its id in capitals", () => {
  const id = "5d39b411-749d-4a00-9f30-e0f4abcdef12";
  expect(shortId(id, 6)).toBe("#CDEF12");
  expect(shortId(id, 8)).toBe("#ABCDEF12");
});

test("a status begins with a capital", () => {
  expect(capitalise("shipped")).toBe("Shipped");
});

test("a time to come is the next full minute on the visitor's clock, with its day unless it is today", () => {
  const now = new Date(2026, 10, 22, 14, 0);
  const plain = (text: string) => text.replace(/\s/g, " ");
  expect(plain(formatNextTime(new Date(2026, 10, 22, 15, 4, 1), now))).toBe("at 3:05 PM");
  expect(plain(formatNextTime(new Date(2026, 10, 22, 15, 5), now))).toBe("at 3:05 PM");
  expect(plain(formatNextTime(new Date(2026, 10, 23, 9, 30), now))).toBe("on Monday at 9:30 AM");
  expect(plain(formatNextTime(new Date(2026, 10, 22, 23, 59, 30), now))).toBe(
    "on Monday at 12:00 AM",
  );
});
