import { expect, test } from "vitest";
import { MOCKUP_VIEWS, mockupUrl } from "./mockup-url";

test("a mockup's address names product, variant, view and size", () => {
  expect(mockupUrl({ productId: "abc", printifyVariantId: 12125 })).toBe(
    "http://mockups.test/mockup/abc/12125/102048/mockup.jpg?s=800",
  );
  expect(mockupUrl({ productId: "a/b", printifyVariantId: 1, view: 92581, size: 400 })).toBe(
    "http://mockups.test/mockup/a%2Fb/1/92581/mockup.jpg?s=400",
  );
});

test("there are five views", () => {
  expect(MOCKUP_VIEWS.map((view) => `${view.id} ${view.name}`)).toEqual([
    "102048 Front",
    "102049 Hanger",
    "102046 Flat",
    "92581 Male Model",
    "92584 Female Model",
  ]);
});
