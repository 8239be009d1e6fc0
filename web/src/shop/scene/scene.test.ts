import { expect, test } from "vitest";
import { FACES, Face } from "./faces";
import { corners, layerBox } from "./geometry";
import { type Drawn, drawnRatio, sideSvg } from "./layer-svg";
import { outline } from "./lettering";
import { LARGEST_AREA } from "./placement";
import { emptyScene, type Layer, type LetteringLayer, parseScene } from "./scene";
import examples from "./scene.examples.json";

const FILES = import.meta.glob<string>("../../../../functions/_shared/scene/faces/*.ttf", {
  query: "?inline",
  import: "default",
});
const faces = new Map<string, Face>();
for (const { id } of FACES) {
  const file = await FILES[`../../../../functions/_shared/scene/faces/${id}.ttf`]?.();
  faces.set(id, new Face(await (await fetch(file ?? "")).arrayBuffer()));
}

function lettering(layer: LetteringLayer) {
  const face = faces.get(layer.face);
  if (!face) throw new Error(layer.face);
  return outline(layer, face);
}

function drawnOf(layer: Layer): Drawn {
  if (layer.kind === "picture") return { href: `${layer.source}.png?a=1&b="<'`, ratio: 0.8 };
  return layer.kind === "lettering" ? lettering(layer) : null;
}

function checksum(text: string): string {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return value.toString(16).padStart(8, "0");
}

test("what_the_server_takes_or_refuses_as_a_scene_is_taken_or_refused_here", () => {
  expect(examples.taken.filter((scene) => parseScene(scene) === null)).toEqual([]);
  expect(examples.refused.filter((scene) => parseScene(scene) !== null)).toEqual([]);
  expect(parseScene({ ...emptyScene(), front: "x".repeat(70_000) })).toBeNull();
});

test.each(examples.sides.map((side, number) => [number, side] as const))(
  "random_scene_%d_is_the_same_svg_text_as_the_server_makes",
  (_number, side) => {
    const layers = side.layers as Layer[];
    const places = layers.map((layer) =>
      corners(layerBox(layer, drawnRatio(layer, drawnOf(layer)), LARGEST_AREA)).flatMap(
        ({ x, y }) => [x, y],
      ),
    );
    for (const [index, place] of places.entries()) {
      for (const [at, value] of place.entries()) {
        expect(value).toBeCloseTo(side.corners[index]?.[at] ?? Number.NaN, 4);
      }
    }
    const missing = layers.flatMap((layer) =>
      layer.kind === "lettering" ? lettering(layer).missing : [],
    );
    expect([...new Set(missing)].sort()).toEqual(side.missing);
    const svg = sideSvg(layers, drawnOf, LARGEST_AREA);
    expect([svg.length, checksum(svg)]).toEqual([side.length, side.svg]);
  },
);
