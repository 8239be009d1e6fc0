import { expect, test } from "vitest";
import { pageCount, pageItems } from "./pagination";

test("five pages or fewer are all shown", () => {
  expect(pageItems(1, 1)).toEqual([1]);
  expect(pageItems(3, 5)).toEqual([1, 2, 3, 4, 5]);
});

test("more pages show the first, the last and the current's neighbours, five numbers in all", () => {
  expect(pageItems(1, 9)).toEqual([1, 2, 3, 4, "gap-after", 9]);
  expect(pageItems(3, 9)).toEqual([1, 2, 3, 4, "gap-after", 9]);
  expect(pageItems(5, 9)).toEqual([1, "gap-before", 4, 5, 6, "gap-after", 9]);
  expect(pageItems(7, 9)).toEqual([1, "gap-before", 6, 7, 8, 9]);
  expect(pageItems(9, 9)).toEqual([1, "gap-before", 6, 7, 8, 9]);
});

test("no page of many ever shows more than five numbers or leaves the current one out", () => {
  for (let pages = 6; pages <= 30; pages++) {
    for (let page = 1; page <= pages; page++) {
      const numbers = pageItems(page, pages).filter((item) => typeof item === "number");
      expect(numbers).toHaveLength(5);
      expect(numbers).toContain(page);
    }
  }
});

test("seven designs are one page and eight are two", () => {
  expect(pageCount(0, 7)).toBe(1);
  expect(pageCount(7, 7)).toBe(1);
  expect(pageCount(8, 7)).toBe(2);
});
