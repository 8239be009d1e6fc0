/** Layers as they begin: in the upper middle, where most prints are, and as large as suits their kind. */
import { fitIn } from "@/shop/scene/geometry";
import { LARGEST_AREA, placement, type Size } from "@/shop/scene/placement";
import type { LetteringLayer, PictureLayer, ShapeLayer } from "@/shop/scene/scene";
import { SHAPES } from "@/shop/scene/shapes";
import { clampPlace } from "../stage/gestures";

const MIDDLE = { x: 0.5, y: 0.35, angle: 0 };

export const FIRST_WORDS = "Your words";

export function newLettering(id: string, color: string): LetteringLayer {
  return { ...MIDDLE, id, kind: "lettering", scale: 0.6, text: FIRST_WORDS, face: "anton", color };
}

export function newShape(id: string, shape: string, color: string): ShapeLayer {
  const ratio = SHAPES.find((each) => each.id === shape)?.ratio ?? 1;
  return fitIn(
    { ...MIDDLE, id, kind: "shape", scale: 0.4, shape, color, ratio },
    ratio,
    LARGEST_AREA,
  );
}

/** An artwork where a design's own picture would begin. */
export function newPicture(id: string, artwork: Size & { id: string }): PictureLayer {
  const place = clampPlace({ ...placement(artwork, LARGEST_AREA), angle: 0 });
  return { ...place, id, kind: "picture", source: artwork.id };
}
