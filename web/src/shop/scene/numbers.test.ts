import { expect, test } from "vitest";
import { fixed } from "./numbers";

test("numbers_are_rounded_with_halves_up_and_without_zeros_at_the_end", () => {
  expect([0, -0.001, 0.125, -0.125, 1.1, 4500, 12.3456].map((value) => fixed(value))).toEqual([
    "0",
    "0",
    "0.13",
    "-0.12",
    "1.1",
    "4500",
    "12.35",
  ]);
  expect(fixed(1 / 3, 6)).toBe("0.333333");
});
