import { expect, test } from "vitest";
import { SIZE_CHART, TOLERANCE } from "@/shop/catalog/size-chart";
import { orderLines, parseQuantitiesDraft, totalQuantity, withQuantity } from "./quantities";

const sizes = ["S", "M", "L"].map((size, index) => ({
  id: size,
  name: `Black - ${size}`,
  color_hex: "#000000",
  printify_variant_id: index,
  is_available: true,
}));

test("a quantity of nothing takes the size out of the order", () => {
  expect(withQuantity({ M: 2, L: 1 }, "M", 0)).toEqual({ L: 1 });
  expect(withQuantity({ M: 2 }, "M", -1)).toEqual({});
});

test("at most ten of a size", () => {
  expect(withQuantity({}, "M", 11)).toEqual({ M: 10 });
  expect(withQuantity({ M: 3 }, "M", 4)).toEqual({ M: 4 });
});

test("the lines follow the sizes, and count only what is wanted and sold", () => {
  const lines = orderLines(sizes, { L: 1, S: 2, gone: 5 });
  expect(lines.map((line) => [line.variant.id, line.quantity])).toEqual([
    ["S", 2],
    ["L", 1],
  ]);
  expect(totalQuantity(lines)).toBe(3);
});

test("a draft of quantities is cut to the rules", () => {
  expect(parseQuantitiesDraft({ S: 2, M: 40, L: 0, XL: "3", XS: 1.5 })).toEqual({ S: 2, M: 10 });
  expect(parseQuantitiesDraft(null)).toBeUndefined();
});

test("the size chart is the shop's", () => {
  expect(SIZE_CHART.map((row) => [row.size, row.width, row.length, row.sleeve])).toEqual([
    ["XS", 16.5, 27, 8.6],
    ["S", 18, 28, 8.9],
    ["M", 20, 29, 9.2],
    ["L", 22, 30, 9.5],
    ["XL", 24, 31, 9.7],
    ["2XL", 26, 32, 10],
    ["3XL", 28, 33, 10.4],
    ["4XL", 30, 34, 10.8],
  ]);
  expect(TOLERANCE).toBe(1.5);
});
