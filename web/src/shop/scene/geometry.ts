/**
 * Where layers lie, in pixels of their side's area, as functions/_shared/scene/geometry.py has it, and what hands do
 * with them: pure functions, without the page.
 */
import { IDEAL_DPI, MOST_ENLARGED, type Size } from "./placement";
import type { Crop, Layer } from "./scene";

export interface Point {
  x: number;
  y: number;
}

/** `x` and `y` are its centre, `angle` degrees clockwise about it. */
export interface Box extends Point, Size {
  angle: number;
}

type Placed = Pick<Layer, "x" | "y" | "scale" | "angle">;

/** The box of a layer whose height is `ratio` of its width. */
export function layerBox(layer: Placed, ratio: number, area: Size): Box {
  const width = layer.scale * area.width;
  return {
    x: layer.x * area.width,
    y: layer.y * area.height,
    width,
    height: width * ratio,
    angle: layer.angle,
  };
}

/** Upper left, upper right, lower right, lower left. */
export function corners(box: Box): [Point, Point, Point, Point] {
  const turn = (box.angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  function corner(across: number, down: number): Point {
    const x = (across * box.width) / 2;
    const y = (down * box.height) / 2;
    return { x: box.x + x * cos - y * sin, y: box.y + x * sin + y * cos };
  }
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The upright rectangle around a turned box. */
function bounds(box: Box): Bounds {
  const points = corners(box);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

/** Whether the point lies in the box. */
export function contains(box: Box, point: Point): boolean {
  const turn = (-box.angle * Math.PI) / 180;
  const [x, y] = [point.x - box.x, point.y - box.y];
  const across = x * Math.cos(turn) - y * Math.sin(turn);
  const down = x * Math.sin(turn) + y * Math.cos(turn);
  return Math.abs(across) <= box.width / 2 && Math.abs(down) <= box.height / 2;
}

export interface Guide {
  axis: "x" | "y";
  /** In pixels of the area. */
  at: number;
}

interface Snapped extends Point {
  guides: Guide[];
}

/** The box's centre drawn to the nearest of the lines in reach: the area's centre, its margins and its edges. */
export function snap(box: Box, area: Size, margin: number, reach: number): Snapped {
  const around = bounds(box);
  const x = snapAxis(
    [around.left - box.x, 0, around.right - box.x],
    box.x,
    area.width,
    margin,
    reach,
  );
  const y = snapAxis(
    [around.top - box.y, 0, around.bottom - box.y],
    box.y,
    area.height,
    margin,
    reach,
  );
  const guides: Guide[] = [];
  if (x.line !== null) guides.push({ axis: "x", at: x.line });
  if (y.line !== null) guides.push({ axis: "y", at: y.line });
  return { x: x.centre, y: y.centre, guides };
}

/** `offsets` are those of the box's first edge, centre and last edge from its centre. */
function snapAxis(
  offsets: readonly [number, number, number],
  centre: number,
  length: number,
  margin: number,
  reach: number,
): { centre: number; line: number | null } {
  const lines = [
    [length / 2, offsets[1]],
    [margin, offsets[0]],
    [length - margin, offsets[2]],
    [0, offsets[0]],
    [length, offsets[2]],
  ] as const;
  let best: { centre: number; line: number | null; away: number } = {
    centre,
    line: null,
    away: reach,
  };
  for (const [line, offset] of lines) {
    const away = Math.abs(line - offset - centre);
    if (away < best.away) best = { centre: line - offset, line, away };
  }
  return { centre: best.centre, line: best.line };
}

/** The layer made no larger than the area and moved into it. */
export function fitIn<T extends Placed>(layer: T, ratio: number, area: Size): T {
  const whole = bounds(layerBox(layer, ratio, area));
  const shrink = Math.min(
    1,
    area.width / (whole.right - whole.left),
    area.height / (whole.bottom - whole.top),
  );
  const smaller = { ...layer, scale: layer.scale * shrink };
  const { left, top, right, bottom } = bounds(layerBox(smaller, ratio, area));
  return {
    ...smaller,
    x: layer.x + (Math.max(0, -left) - Math.max(0, right - area.width)) / area.width,
    y: layer.y + (Math.max(0, -top) - Math.max(0, bottom - area.height)) / area.height,
  };
}

/** The size in print of a box on an area at 300 pixels an inch. */
export function printInches(box: Size): Size {
  return { width: box.width / IDEAL_DPI, height: box.height / IDEAL_DPI };
}

/** A picture's height by its width after cropping. */
export function cropRatio(crop: Crop | null | undefined, ratio: number): number {
  return crop ? (ratio * crop.height) / crop.width : ratio;
}

/** Pixels an inch of a picture so many pixels wide, printed on `width` pixels of the area, after enlargement. */
export function effectiveDpi(pixels: number, width: number): number {
  return Math.min((pixels * MOST_ENLARGED * IDEAL_DPI) / width, IDEAL_DPI);
}
