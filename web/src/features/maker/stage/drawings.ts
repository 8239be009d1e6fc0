/** What each layer looks like on the stage: the print's own drawing code, run anew only for what looks different. */
import { useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import type { Face } from "@/shop/scene/faces";
import { type Drawn, drawnRatio, layerSvg } from "@/shop/scene/layer-svg";
import { outline } from "@/shop/scene/lettering";
import { LARGEST_AREA } from "@/shop/scene/placement";
import type { Layer, Scene } from "@/shop/scene/scene";
import { faceQuery } from "./face-query";
import type { Picture } from "./pictures";

export interface Drawing {
  /** Of the layer's box: its height by its width. */
  ratio: number;
  /** As wide as the area, about the origin. */
  markup: string;
  /** Characters that the face lacks. */
  missing: readonly string[];
}

const MOST_KEPT = 200;

export function useDrawings(
  scene: Scene,
  pictureOf: (source: string) => Picture | undefined,
): (layer: Layer) => Drawing | undefined {
  const faces = useFaces(scene);
  const kept = useRef(new Map<string, Drawing>());

  return (layer) => {
    const source = sourceOf(layer, pictureOf, faces);
    if (!source) return undefined;
    // A place of its own does not change what it looks like.
    const plain = { ...layer, x: 0, y: 0, scale: 1, angle: 0, locked: false };
    const key = JSON.stringify([plain, source.href]);
    const known = kept.current.get(key);
    if (known) return known;
    const drawn = source.draw();
    const drawing = {
      ratio: drawnRatio(layer, drawn),
      markup: layerSvg(plain, drawn, LARGEST_AREA),
      missing: drawn && "missing" in drawn ? drawn.missing : [],
    };
    if (kept.current.size >= MOST_KEPT) kept.current.clear();
    kept.current.set(key, drawing);
    return drawing;
  };
}

interface Source {
  /** Of its picture. */
  href?: string;
  draw: () => Drawn;
}

/** Undefined while its picture or its face is on the way. */
function sourceOf(
  layer: Layer,
  pictureOf: (source: string) => Picture | undefined,
  faces: ReadonlyMap<string, Face>,
): Source | undefined {
  if (layer.kind === "shape") return { draw: () => null };
  if (layer.kind === "lettering") {
    const face = faces.get(layer.face);
    return face && { draw: () => outline(layer, face) };
  }
  const picture = pictureOf(layer.source);
  if (!picture) return undefined;
  const { href, width, height } = picture;
  return { href, draw: () => ({ href, ratio: height / width }) };
}

function useFaces(scene: Scene): ReadonlyMap<string, Face> {
  const wanted = new Set<string>();
  for (const layer of [...scene.front, ...scene.back])
    if (layer.kind === "lettering") wanted.add(layer.face);
  const ids = [...wanted];
  return useQueries({
    queries: ids.map(faceQuery),
    combine: (results) =>
      new Map(results.flatMap(({ data }, place) => (data ? [[ids[place] ?? "", data]] : []))),
  });
}
