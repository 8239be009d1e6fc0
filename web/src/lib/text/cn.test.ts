import { expect, test } from "vitest";
import { cn } from "./cn";

test("two classes of one property are refused", () => {
  expect(() => cn("p-2 text-sm", "p-4")).toThrow("takes the place of p-2");
});

test("a marked class and its replacement stand side by side", () => {
  expect(cn("base:p-2 text-sm", false, "p-4")).toBe("base:p-2 text-sm p-4");
});
