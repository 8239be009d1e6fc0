/**
 * Lettering as outlines: the same path, to the character, as functions/_shared/scene/lettering.py makes.
 *
 * Lengths are thousandths of an em, y downwards. A curved line's glyphs are turned, not bent: each stands upright on the
 * arc at the middle of its advance.
 */
import type { Face, Glyph } from "./faces";
import { fixed } from "./numbers";
import type { LetteringLayer } from "./scene";

export const EM = 1000;
const SHARES = { left: 0, center: 0.5, right: 1 };

export interface Lettering {
  /** Fills a box of `width` × `height` from 0, 0. */
  path: string;
  width: number;
  height: number;
  /** Height by width. */
  ratio: number;
  /** The characters that the face lacks. */
  missing: string[];
}

/** Where a glyph's origin lies, how it is turned about it, and what is added to its own coordinates. */
interface Place {
  x: number;
  y: number;
  cos: number;
  sin: number;
  left: number;
  up: number;
}

type Placed = [letter: string, points: number[]];

/** The outlines of a layer's text; `face` is its face's. */
export function outline(layer: LetteringLayer, face: Face): Lettering {
  const lines = layer.text.split("\n");
  const shaped = lines.map((line) => face.shape(line));
  const unit = EM / face.em;
  const commands: Placed[] = [];
  for (const [glyph, place] of places(layer, face, shaped)) {
    if (glyph.id === 0) continue;
    for (const [letter, points] of face.draw(glyph.id)) {
      commands.push([letter, placed(points, place, unit)]);
    }
  }
  const missing = shaped.flatMap((glyphs, number) =>
    glyphs
      .filter(({ id }) => id === 0)
      .map(({ cluster }) => String.fromCodePoint(lines[number]?.codePointAt(cluster) ?? 0)),
  );
  return boxed(commands, [...new Set(missing)], face.lineHeight * unit * lines.length);
}

function* places(
  layer: LetteringLayer,
  face: Face,
  lines: readonly Glyph[][],
): Generator<[Glyph, Place]> {
  const unit = EM / face.em;
  const height = face.lineHeight * unit;
  const widths = lines.map(
    (glyphs) => glyphs.reduce((sum, { advance }) => sum + advance, 0) * unit,
  );
  const longest = Math.max(...widths);
  const curve = layer.curve ?? 0;
  const radius = curve
    ? Math.max(longest / (Math.abs(curve) * 2 * Math.PI), face.ascender * unit)
    : 0;
  for (const [number, glyphs] of lines.entries()) {
    const start = (longest - (widths[number] ?? 0)) * SHARES[layer.align ?? "center"];
    const outer = curve > 0 ? lines.length - 1 - number : number;
    for (const { glyph, pen, middle } of pens(glyphs, unit)) {
      if (curve) {
        const lift = curve > 0 ? 0 : (face.ascender * unit) / 2;
        const along = start + middle - longest / 2;
        const arc = onArc(curve, radius + outer * height, lift, along);
        yield [glyph, { ...arc, left: pen - middle + glyph.x * unit, up: glyph.y * unit }];
      } else {
        const line = { x: start + pen, y: number * height, cos: 1, sin: 0 };
        yield [glyph, { ...line, left: glyph.x * unit, up: glyph.y * unit }];
      }
    }
  }
}

/** Each glyph with its pen position, and the middle of its cluster: marks are turned with their letter. */
function* pens(glyphs: readonly Glyph[], unit: number) {
  const totals = new Map<number, number>();
  for (const { cluster, advance } of glyphs) {
    totals.set(cluster, (totals.get(cluster) ?? 0) + advance);
  }
  const starts = new Map<number, number>();
  let pen = 0;
  for (const glyph of glyphs) {
    const start = starts.get(glyph.cluster) ?? pen;
    starts.set(glyph.cluster, start);
    const total = totals.get(glyph.cluster) ?? 0;
    yield { glyph, pen: pen * unit, middle: (start + total / 2) * unit };
    pen += glyph.advance;
  }
}

/** The letters' distances are kept on the arc of `radius`: at their feet, or `lift` above those that are outside. */
function onArc(curve: number, radius: number, lift: number, along: number) {
  const turn = along / radius;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  if (curve > 0) return { x: radius * sin, y: -radius * cos, cos, sin };
  return { x: (radius + lift) * sin, y: (radius + lift) * cos, cos, sin: -sin };
}

function placed(points: readonly number[], place: Place, unit: number): number[] {
  const result: number[] = [];
  for (let index = 0; index < points.length; index += 2) {
    const x = (points[index] ?? 0) * unit + place.left;
    const y = -((points[index + 1] ?? 0) * unit + place.up);
    result.push(place.x + x * place.cos - y * place.sin, place.y + x * place.sin + y * place.cos);
  }
  return result;
}

/** The path moved to 0, 0 with its size; where nothing is drawn, an empty one of an em's width. */
function boxed(commands: readonly Placed[], missing: string[], height: number): Lettering {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  const most = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] as [number, number];
  for (const [, points] of commands) {
    for (const [index, value] of points.entries()) {
      const axis = index % 2 ? 1 : 0;
      least[axis] = Math.min(least[axis], value);
      most[axis] = Math.max(most[axis], value);
    }
  }
  const [width, tall] = [most[0] - least[0], most[1] - least[1]];
  if (!(width > 0 && tall > 0)) {
    return { path: "", width: EM, height, ratio: height / EM, missing };
  }
  const path = commands
    .map(
      ([letter, points]) =>
        letter + points.map((value, index) => fixed(value - least[index % 2 ? 1 : 0])).join(" "),
    )
    .join("");
  return { path, width, height: tall, ratio: tall / width, missing };
}
