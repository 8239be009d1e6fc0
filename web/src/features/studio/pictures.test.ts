import { expect, test } from "vitest";
import { fitWithin, opaqueBox, withoutPrefix } from "./pictures";

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

test("transparent margins do not count, half-transparent edges do from the middle on", () => {
  const data = new Uint8ClampedArray(4 * 5 * 4);
  for (const [x, y, alpha] of [
    [1, 1, 255],
    [3, 2, 128],
    [0, 4, 127],
  ] as const) {
    data[(y * 4 + x) * 4 + 3] = alpha;
  }
  const image = { data, width: 4, height: 5, colorSpace: "srgb" } as ImageData;
  expect(opaqueBox(image)).toEqual({ width: 3, height: 2 });
  expect(opaqueBox({ ...image, data: new Uint8ClampedArray(80) })).toBeNull();
});
