import { expect, test } from "vitest";
import { corners, layerBox } from "@/shop/scene/geometry";
import { LARGEST_AREA as AREA } from "@/shop/scene/placement";
import { type CornerIndex, pinched, scaled, snapped, turned } from "./gestures";

const PLACE = { x: 0.5, y: 0.4, scale: 0.3, angle: 30 };
const RATIO = 0.8;
const cornersOf = (place: typeof PLACE) => corners(layerBox(place, RATIO, AREA));

test.each([0, 1, 2, 3] as CornerIndex[])(
  "corner %i follows the pointer while the opposite one stays",
  (corner) => {
    const opposite = ((corner + 2) % 4) as CornerIndex;
    const [from, still] = [cornersOf(PLACE)[corner], cornersOf(PLACE)[opposite]];
    // Along the diagonal, half as far again.
    const to = {
      x: still.x + (from.x - still.x) * 1.5,
      y: still.y + (from.y - still.y) * 1.5,
    };
    const after = cornersOf(scaled(PLACE, RATIO, AREA, corner, to));
    expect(Math.hypot(after[corner].x - to.x, after[corner].y - to.y)).toBeLessThan(0.2);
    expect(Math.hypot(after[opposite].x - still.x, after[opposite].y - still.y)).toBeLessThan(0.2);
  },
);

test("the turn catches every 15 degrees, unless it is to be free", () => {
  const at = (degrees: number) => ({
    x: 2250 + 1000 * Math.sin((degrees * Math.PI) / 180),
    y: 2040 - 1000 * Math.cos((degrees * Math.PI) / 180),
  });
  expect(turned(PLACE, AREA, at(47)).angle).toBe(45);
  expect(turned(PLACE, AREA, at(47), true).angle).toBe(47);
  expect(turned(PLACE, AREA, at(-178)).angle).toBe(-180);
});

test("two fingers move, scale and turn what is between them", () => {
  const place = { x: 0.5, y: 0.5, scale: 0.2, angle: 0 };
  const middle = { x: 2250, y: 2550 };
  const before = [
    { x: middle.x - 100, y: middle.y },
    { x: middle.x + 100, y: middle.y },
  ] as const;
  const after = [
    { x: middle.x + 450, y: middle.y - 200 },
    { x: middle.x + 450, y: middle.y + 200 },
  ] as const;
  expect(pinched(place, AREA, before, after)).toEqual({ x: 0.6, y: 0.5, scale: 0.4, angle: 90 });
});

test("a layer near the middle is drawn to it, and one far from every line is not", () => {
  const near = snapped({ x: 0.502, y: 0.3, scale: 0.2, angle: 0 }, 1, AREA, 20);
  expect([near.place.x, near.guides]).toEqual([0.5, [{ axis: "x", at: 2250 }]]);
  expect(snapped({ x: 0.4, y: 0.3, scale: 0.2, angle: 0 }, 1, AREA, 20).guides).toEqual([]);
});
