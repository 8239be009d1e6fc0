/**
 * What the pointer does to a layer, as pure functions. Points and lengths are in pixels of the print area; a layer's place is in
 * shares of it. `ratio` is the height of the layer's box divided by its width.
 */
import { corners, type Guide, layerBox, type Point, snap } from "@/shop/scene/geometry";
import type { Size } from "@/shop/scene/placement";
import type { Layer } from "@/shop/scene/scene";

/** A layer's place without anything else of it. */
export type Place = Pick<Layer, "x" | "y" | "scale" | "angle">;

/** In the order of `corners`. */
const DIRECTIONS = [
  { across: -1, down: -1 },
  { across: 1, down: -1 },
  { across: 1, down: 1 },
  { across: -1, down: 1 },
] as const;
export type CornerIndex = 0 | 1 | 2 | 3;

const SCALE = { least: 0.005, most: 4 };
const REACH = { least: -1, most: 2 };
/** The turn catches within this of each step. */
const CATCH = 3;
const STEP = 15;
/** Half an inch, at 300 pixels an inch. */
const MARGIN = 150;

export function clampPlace(place: Place): Place {
  return {
    x: rounded(within(place.x, REACH)),
    y: rounded(within(place.y, REACH)),
    scale: rounded(within(place.scale, SCALE)),
    angle: normalAngle(place.angle),
  };
}

/** To a twentieth of a pixel. */
function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}

function within(value: number, { least, most }: { least: number; most: number }): number {
  return Math.min(most, Math.max(least, value));
}

/** From -180 to 180, to the hundredth of a degree. */
function normalAngle(degrees: number): number {
  const angle = ((((degrees + 180) % 360) + 360) % 360) - 180;
  return Math.round(angle * 100) / 100;
}

function rotated({ x, y }: Point, degrees: number): Point {
  const turn = (degrees * Math.PI) / 180;
  return {
    x: x * Math.cos(turn) - y * Math.sin(turn),
    y: x * Math.sin(turn) + y * Math.cos(turn),
  };
}

export function moved(place: Place, by: Point, area: Size): Place {
  return clampPlace({ ...place, x: place.x + by.x / area.width, y: place.y + by.y / area.height });
}

/** Drawn to the area's middle, edges and margins where they are in reach, in pixels of the area. */
export function snapped(
  place: Place,
  ratio: number,
  area: Size,
  reach: number,
): { place: Place; guides: readonly Guide[] } {
  const { x, y, guides } = snap(layerBox(place, ratio, area), area, MARGIN, reach);
  return { place: clampPlace({ ...place, x: x / area.width, y: y / area.height }), guides };
}

/** The corner follows the pointer along the box's diagonal; the opposite one stays where it is. */
export function scaled(
  place: Place,
  ratio: number,
  area: Size,
  corner: CornerIndex,
  pointer: Point,
): Place {
  const opposite = ((corner + 2) % 4) as CornerIndex;
  const still = corners(layerBox(place, ratio, area))[opposite];
  const reach = rotated({ x: pointer.x - still.x, y: pointer.y - still.y }, -place.angle);
  const { across, down } = DIRECTIONS[corner];
  const diagonal = { x: across, y: down * ratio };
  const width = (reach.x * diagonal.x + reach.y * diagonal.y) / (diagonal.x ** 2 + diagonal.y ** 2);
  const scale = within(width / area.width, SCALE);
  const reached = (scale * area.width) / 2;
  const half = rotated({ x: diagonal.x * reached, y: diagonal.y * reached }, place.angle);
  return clampPlace({
    ...place,
    scale,
    x: (still.x + half.x) / area.width,
    y: (still.y + half.y) / area.height,
  });
}

/** The handle above the box follows the pointer. Every 15 degrees it catches, unless `free`. */
export function turned(place: Place, area: Size, pointer: Point, free = false): Place {
  const center = layerBox(place, 1, area);
  const degrees = (Math.atan2(pointer.x - center.x, center.y - pointer.y) * 180) / Math.PI;
  const caught = Math.round(degrees / STEP) * STEP;
  const angle = !free && Math.abs(degrees - caught) <= CATCH ? caught : Math.round(degrees);
  return { ...place, angle: normalAngle(angle) };
}

/** Two fingers that lay at `from` and lie at `to`: what is between them moves, grows and turns with them. */
export function pinched(
  place: Place,
  area: Size,
  from: readonly [Point, Point],
  to: readonly [Point, Point],
): Place {
  const [before, after] = [spread(from), spread(to)];
  if (before.length === 0) return place;
  const growth = within(place.scale * (after.length / before.length), SCALE) / place.scale;
  const turn = after.angle - before.angle;
  const center = layerBox(place, 1, area);
  const arm = rotated(
    { x: (center.x - before.middle.x) * growth, y: (center.y - before.middle.y) * growth },
    turn,
  );
  return clampPlace({
    x: (after.middle.x + arm.x) / area.width,
    y: (after.middle.y + arm.y) / area.height,
    scale: place.scale * growth,
    angle: place.angle + turn,
  });
}

function spread([a, b]: readonly [Point, Point]) {
  return {
    middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
    length: Math.hypot(b.x - a.x, b.y - a.y),
    angle: (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI,
  };
}
