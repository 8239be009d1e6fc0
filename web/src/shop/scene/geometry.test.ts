import { expect, test } from "vitest";
import { type Box, contains, effectiveDpi, snap } from "./geometry";

const area = { width: 1000, height: 2000 };
const box: Box = { x: 480, y: 300, width: 200, height: 100, angle: 0 };

test("a_box_is_drawn_to_the_nearest_line_in_reach_and_the_line_is_named", () => {
  expect(snap(box, area, 40, 25)).toEqual({ x: 500, y: 300, guides: [{ axis: "x", at: 500 }] });
  expect(snap({ ...box, x: 130, y: 1955 }, area, 40, 25)).toEqual({
    x: 140,
    y: 1950,
    guides: [
      { axis: "x", at: 40 },
      { axis: "y", at: 2000 },
    ],
  });
  expect(snap({ ...box, x: 300 }, area, 40, 25).guides).toEqual([]);
});

test("a_turned_boxs_edges_are_those_of_the_rectangle_around_it", () => {
  const turned = { ...box, x: 100, y: 95, angle: 90 };
  expect(snap(turned, area, 40, 25)).toMatchObject({ x: 90, y: 100 });
});

test("a_point_lies_in_a_turned_box_where_it_is_drawn", () => {
  const turned = { ...box, angle: 90 };
  expect(contains(turned, { x: 480, y: 390 })).toBe(true);
  expect(contains(turned, { x: 570, y: 300 })).toBe(false);
});

test("a_pictures_pixels_an_inch_are_those_after_enlargement", () => {
  expect(effectiveDpi(500, 3000)).toBe(200);
  expect(effectiveDpi(3000, 3000)).toBe(300);
});
