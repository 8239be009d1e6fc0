import { expect, test } from "vitest";
import { fitWithin, withoutPrefix } from "./pictures";

test("the longest side is made to fit, the other one follows", () => {
  expect(fitWithin({ width: 1024, height: 512 }, 256)).toEqual({ width: 256, height: 128 });
  expect(fitWithin({ width: 512, height: 1024 }, 256)).toEqual({ width: 128, height: 256 });
});

test("a small picture is not blown up, and no side vanishes", () => {
  expect(fitWithin({ width: 100, height: 80 }, 256)).toEqual({ width: 100, height: 80 });
  expect(fitWithin({ width: 4000, height: 2 }, 256)).toEqual({ width: 256, height: 1 });
});

test("rows hold base64 without its prefix", () => {
  expect(withoutPrefix("data:image/png;base64,iVBO")).toBe("iVBO");
  expect(withoutPrefix("iVBO")).toBe("iVBO");
});
