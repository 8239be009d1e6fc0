import { expect, test } from "vitest";
import { capitalise, formatDate, formatPrice, shortId } from "./format";

test("prices are US dollars with cents", () => {
  expect(formatPrice(19.9)).toBe("$19.90");
  expect(formatPrice(1234.5)).toBe("$1,234.50");
});

test("dates are en-US in UTC, whatever the visitor's clock says", () => {
  expect(formatDate("2026-03-01T00:30:00+00:00")).toBe("Mar 1, 2026");
  expect(formatDate("2026-02-28T23:30:00-02:00")).toBe("Mar 1, 2026");
  expect(formatDate("soon")).toBe("");
});

test("an order number is the end of its id in capitals", () => {
  const id = "5d39b411-749d-4a00-9f30-e0f4abcdef12";
  expect(shortId(id, 6)).toBe("#CDEF12");
  expect(shortId(id, 8)).toBe("#ABCDEF12");
});

test("a status begins with a capital", () => {
  expect(capitalise("shipped")).toBe("Shipped");
});
