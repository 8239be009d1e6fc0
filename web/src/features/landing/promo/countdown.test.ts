import { expect, test } from "vitest";
import { timeLeft } from "./countdown";

const END = "2025-08-01T00:00:00";

test("days, hours, minutes and seconds have two digits each, in the visitor's own time", () => {
  const now = new Date(2025, 6, 29, 18, 54, 57).getTime();
  expect(timeLeft(END, now)).toEqual({ days: "02", hours: "05", minutes: "05", seconds: "03" });
});

test("a zone in the date is honoured", () => {
  expect(timeLeft("2025-08-01T00:00:00Z", Date.UTC(2025, 6, 31, 23, 59, 30))).toEqual({
    days: "00",
    hours: "00",
    minutes: "00",
    seconds: "30",
  });
});

test("at zero and after it there is nothing left", () => {
  const end = new Date(2025, 7, 1).getTime();
  expect(timeLeft(END, end - 999)).toBeNull();
  expect(timeLeft(END, end)).toBeNull();
  expect(timeLeft(END, end + 86_400_000)).toBeNull();
});

test("a date that is none shows no banner", () => {
  expect(timeLeft("soon", 0)).toBeNull();
});

test("more than ninety-nine days are written out", () => {
  expect(timeLeft("2025-08-01T00:00:00Z", Date.UTC(2025, 3, 1))?.days).toBe("122");
});
