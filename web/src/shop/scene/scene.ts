/**
 * A scene: the layers on a shirt's front and back, bottom layer first. It is checked by the server's own schema
 * (functions/_shared/scene/scene.py, which decides). docs/scene.md tells what each field means.
 */
import * as z from "zod";
import schema from "../../../../functions/_shared/scene/scene.schema.json";
import { placement, type Size } from "./placement";

export type Side = "front" | "back";
export const SIDES: readonly Side[] = ["front", "back"];
export const MOST_LAYERS = 20;
/** The source that is the design's own first picture. */
export const DESIGN = "design";
const LARGEST_BYTES = 64 * 1024;

interface LayerBase {
  id: string;
  /** The centre of its box, as shares of the area's width and height. */
  x: number;
  y: number;
  /** The width of its box before turning, as a share of the area's. */
  scale: number;
  /** Degrees clockwise about its centre. */
  angle: number;
  locked?: boolean;
}

/** Shares of the whole picture. */
export interface Crop {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PictureLayer extends LayerBase {
  kind: "picture";
  /** `design`, or an artwork's id. */
  source: string;
  crop?: Crop | null;
  /** That of all its ink. */
  color?: string | null;
}

export interface LetteringLayer extends LayerBase {
  kind: "lettering";
  text: string;
  face: string;
  color: string;
  align?: "left" | "center" | "right";
  /** The share of a whole circle that the longest line bends to: above 0 upwards, below downwards. */
  curve?: number;
  /** Lengths are shares of an em. */
  outline?: { color: string; width: number } | null;
  shadow?: { color: string; x: number; y: number } | null;
}

export interface ShapeLayer extends LayerBase {
  kind: "shape";
  shape: string;
  color: string;
  /** Height by width. */
  ratio: number;
}

export type Layer = PictureLayer | LetteringLayer | ShapeLayer;

export interface Scene {
  version: 1;
  front: Layer[];
  back: Layer[];
}

const parsed = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);

/** Null for what is no scene. */
export function parseScene(value: unknown): Scene | null {
  const result = parsed.safeParse(value);
  if (!result.success) return null;
  const scene = result.data as Scene;
  const layers = [...scene.front, ...scene.back];
  const isWhole =
    new Set(layers.map(({ id }) => id)).size === layers.length &&
    layers.every((layer) => layer.kind !== "picture" || !layer.crop || isInside(layer.crop)) &&
    new TextEncoder().encode(JSON.stringify(value)).length <= LARGEST_BYTES;
  return isWhole ? scene : null;
}

function isInside({ left, top, width, height }: Crop): boolean {
  return left + width <= 1 && top + height <= 1;
}

export function emptyScene(): Scene {
  return { version: 1, front: [], back: [] };
}

/** A design that was never adjusted: its picture without its margins (`ink`), where every print begins. */
export function sceneOfDesign(picture: Size, ink: Crop, area: Size): Scene {
  const size = { width: picture.width * ink.width, height: picture.height * ink.height };
  const isWhole = ink.width === 1 && ink.height === 1;
  const layer: PictureLayer = {
    id: DESIGN,
    kind: "picture",
    source: DESIGN,
    ...placement(size, area),
    angle: 0,
    ...(isWhole ? {} : { crop: ink }),
  };
  return { ...emptyScene(), front: [layer] };
}
