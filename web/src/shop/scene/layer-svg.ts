/**
 * Layers as SVG: the same text, to the character, as functions/_shared/scene/layer_svg.py makes for the print.
 *
 * Paths and pictures alone, no text and no filters: renderers differ in those. A layer lies in pixels of the area.
 */
import { type Box, cropRatio, layerBox } from "./geometry";
import { EM, type Lettering } from "./lettering";
import { fixed } from "./numbers";
import type { Size } from "./placement";
import type { Layer, LetteringLayer, PictureLayer, ShapeLayer } from "./scene";
import { SHAPES } from "./shapes";

/** A shape's coordinates. */
const UNITS = 1000;
const BY_ID = new Map(SHAPES.map((each) => [each.id, each]));

/** Where a picture is, and its height by its width. */
interface Href {
  href: string;
  ratio: number;
}

/** What a layer is drawn with: its picture, its outlines, or nothing more. */
export type Drawn = Href | Lettering | null;

/** The height of the layer's box by its width. */
export function drawnRatio(layer: Layer, drawn: Drawn): number {
  if (layer.kind === "shape") return layer.ratio;
  if (!drawn) throw new TypeError(`Layer ${layer.id} is drawn with nothing.`);
  return layer.kind === "picture" ? cropRatio(layer.crop, drawn.ratio) : drawn.ratio;
}

/** The layer as one element, placed on the area; nothing where there is nothing to draw. */
export function layerSvg(layer: Layer, drawn: Drawn, area: Size): string {
  const box = layerBox(layer, drawnRatio(layer, drawn), area);
  const inner = innerSvg(layer, drawn, box);
  if (!inner) return "";
  const place = `translate(${fixed(box.x)} ${fixed(box.y)}) rotate(${fixed(box.angle)})`;
  return `<g transform="${place}">${inner}</g>`;
}

/** A whole side as a document. */
export function sideSvg(
  layers: readonly Layer[],
  drawnOf: (layer: Layer) => Drawn,
  { width, height }: Size,
): string {
  const inner = layers.map((layer) => layerSvg(layer, drawnOf(layer), { width, height })).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${inner}</svg>`;
}

function innerSvg(layer: Layer, drawn: Drawn, box: Box): string {
  if (layer.kind === "shape") return shape(layer, box);
  if (layer.kind === "picture" && drawn && "href" in drawn) return picture(layer, drawn, box);
  if (layer.kind === "lettering" && drawn && "path" in drawn && drawn.path) {
    return lettering(layer, drawn, box);
  }
  return "";
}

function frame(left: number, top: number, width: number, height: number): string {
  return `x="${fixed(left)}" y="${fixed(top)}" width="${fixed(width)}" height="${fixed(height)}"`;
}

function picture(layer: PictureLayer, { href }: Href, box: Box): string {
  const whole = frame(-box.width / 2, -box.height / 2, box.width, box.height);
  const image = `preserveAspectRatio="none" href="${escaped(href)}"/>`;
  let shown = `<image ${whole} ${image}`;
  if (layer.crop) {
    const [width, height] = [box.width / layer.crop.width, box.height / layer.crop.height];
    const place = frame(-layer.crop.left * width, -layer.crop.top * height, width, height);
    const view = `0 0 ${fixed(box.width)} ${fixed(box.height)}`;
    shown = `<svg ${whole} viewBox="${view}" preserveAspectRatio="none"><image ${place} ${image}</svg>`;
  }
  if (!layer.color) return shown;
  const mask = `ink-${layer.id}`;
  return `<mask id="${mask}" mask-type="alpha">${shown}</mask><rect ${whole} fill="${layer.color}" mask="url(#${mask})"/>`;
}

function lettering(layer: LetteringLayer, drawn: Lettering, box: Box): string {
  const letters = `d="${drawn.path}"`;
  const line = layer.outline ? layer.outline.width * 2 * EM : 0;
  const stroke = `stroke-width="${fixed(line)}" stroke-linejoin="round"`;
  let parts = "";
  if (layer.shadow) {
    const { color, x, y } = layer.shadow;
    const around = line ? ` stroke="${color}" ${stroke}` : "";
    parts += `<path transform="translate(${fixed(x * EM)} ${fixed(y * EM)})" fill="${color}"${around} ${letters}/>`;
  }
  if (layer.outline && line) {
    const { color } = layer.outline;
    parts += `<path fill="${color}" stroke="${color}" ${stroke} ${letters}/>`;
  }
  parts += `<path fill="${layer.color}" ${letters}/>`;
  const scale = fixed(box.width / drawn.width, 6);
  const back = `translate(${fixed(-drawn.width / 2)} ${fixed(-drawn.height / 2)})`;
  return `<g transform="scale(${scale}) ${back}">${parts}</g>`;
}

function shape(layer: ShapeLayer, box: Box): string {
  const { path, rounded } = BY_ID.get(layer.shape) ?? {};
  const [left, top] = [-box.width / 2, -box.height / 2];
  if (rounded) {
    const radius = fixed(rounded * Math.min(box.width, box.height));
    return `<rect ${frame(left, top, box.width, box.height)} rx="${radius}" fill="${layer.color}"/>`;
  }
  const scale = `scale(${fixed(box.width / UNITS, 6)} ${fixed(box.height / UNITS, 6)})`;
  return `<path transform="translate(${fixed(left)} ${fixed(top)}) ${scale}" fill="${layer.color}" d="${path}"/>`;
}

/** As Python's html.escape has it. */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#x27;");
}
