import { expect, test } from "vitest";
import { likePattern } from "./list-gallery";

test("a search is meant as it is typed, wildcards included", () => {
  expect(likePattern("fox")).toBe("%fox%");
  expect(likePattern("100%_\\o/")).toBe("%100\\%\\_\\\\o/%");
});
