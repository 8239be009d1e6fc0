import { expect, test } from "vitest";
import { isUuid } from "./is-uuid";

test.each([
  ["5eed0000-0000-4000-8000-000000000001", true],
  ["5EED0000-0000-4000-8000-00000000ABCD", true],
  ["5eed0000-0000-4000-8000-00000000000", false],
  ["5eed0000-0000-4000-8000-000000000001/", false],
  ["{5eed0000-0000-4000-8000-000000000001}", false],
  ["latest", false],
  ["", false],
  [null, false],
  [undefined, false],
])("%j is an id: %j", (text, is) => {
  expect(isUuid(text)).toBe(is);
});
