import { expect, test } from "vitest";
import { cn } from "./cn";

test("two_classes_of_one_property_are_refused", () => {
  expect(() => cn("p-2 text-sm", "p-4")).toThrow("takes the place of p-2");
});

test("a_marked_class_and_its_replacement_stand_side_by_side", () => {
  expect(cn("base:p-2 text-sm", false, "p-4")).toBe("base:p-2 text-sm p-4");
});
