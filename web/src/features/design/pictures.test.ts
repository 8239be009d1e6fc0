import { expect, test } from "vitest";
import { fitWithin, hasTransparency, opaqueBox, scaleTo, withoutPrefix } from "./pictures";

test("the longest side is made to fit, the other one follows", () => {
  expect(fitWithin({ width: 1024, height: 512 }, 256)).toEqual({ width: 256, height: 128 });
  expect(fitWithin({ width: 512, height: 1024 }, 256)).toEqual({ width: 128, height: 256 });
});

test("a small picture is not blown up, and no side vanishes", () => {
  expect(fitWithin({ width: 100, height: 80 }, 256)).toEqual({ width: 100, height: 80 });
  expect(fitWithin({ width: 4000, height: 2 }, 256)).toEqual({ width: 256, height: 1 });
});

test("a drawing is made as large as it is printed, and square where it has no size", () => {
  expect(scaleTo({ width: 20, height: 10 }, 1536)).toEqual({ width: 1536, height: 768 });
  expect(scaleTo({ width: 4000, height: 2 }, 1536)).toEqual({ width: 1536, height: 1 });
  expect(scaleTo({ width: 0, height: 0 }, 1536)).toEqual({ width: 1536, height: 1536 });
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

test("one pixel that is not wholly opaque makes a picture transparent, colours do not", () => {
  const data = new Uint8ClampedArray(2 * 2 * 4).fill(255);
  const image = { data, width: 2, height: 2, colorSpace: "srgb" } as ImageData;
  data.set([0, 0, 0, 255], 4);
  expect(hasTransparency(image)).toBe(false);
  data[15] = 254;
  expect(hasTransparency(image)).toBe(true);
});
