import { expect, test } from "vitest";
import { printSize } from "./print-size";
import examples from "./print-size.examples.json";

test.each(examples)("$width × $height pixels", ({ width, height, inches, dpi, low }) => {
  const size = printSize({ width, height });
  expect(size.inches).toBeCloseTo(inches, 2);
  expect({ dpi: size.dpi, low: size.low }).toEqual({ dpi, low });
});

test("a small picture is printed small, and says what it would have had at full size", () => {
  expect(printSize({ width: 300, height: 300 })).toEqual({
    inches: 8,
    dpi: 150,
    fullSizeDpi: 87,
    low: true,
  });
});
