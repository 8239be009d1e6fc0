/** The faces of lettering: the server's own files, fetched when one is used, and text shaped by HarfBuzz. */
import { Blob, Buffer, DrawFuncs, Font, Face as FontFace, shape } from "harfbuzzjs";
import { ServiceError } from "@/lib/errors/errors";
import faces from "../../../../functions/_shared/scene/faces.json";

export interface FaceInfo {
  id: string;
  name: string;
  /** Faces of one kind look alike. */
  kind: string;
  scripts: readonly string[];
}

export const FACES: readonly FaceInfo[] = faces;

/** A letter of SVG's paths and its coordinates, y upwards. */
export type Command = readonly [letter: string, points: readonly number[]];

/** Lengths are the face's units; `cluster` is the place in its line where the glyph's character begins. */
export interface Glyph {
  id: number;
  cluster: number;
  advance: number;
  x: number;
  y: number;
}

const pen = new DrawFuncs();
for (const [letter, set] of [
  ["M", pen.setMoveToFunc],
  ["L", pen.setLineToFunc],
] as const) {
  set.call(pen, (x, y, commands) => (commands as Command[]).push([letter, [x, y]]));
}
pen.setQuadraticToFunc((cx, cy, x, y, commands) =>
  (commands as Command[]).push(["Q", [cx, cy, x, y]]),
);
pen.setCubicToFunc((ax, ay, bx, by, x, y, commands) =>
  (commands as Command[]).push(["C", [ax, ay, bx, by, x, y]]),
);
pen.setClosePathFunc((commands) => (commands as Command[]).push(["Z", []]));

/** A face that shapes lines and draws glyphs. */
export class Face {
  readonly em: number;
  readonly ascender: number;
  readonly lineHeight: number;
  readonly #font: Font;

  constructor(file: ArrayBuffer | Uint8Array) {
    const face = new FontFace(new Blob(file));
    this.#font = new Font(face);
    const { ascender, descender, lineGap } = this.#font.hExtents();
    this.em = face.upem;
    this.ascender = ascender;
    this.lineHeight = ascender - descender + lineGap;
  }

  shape(line: string): Glyph[] {
    const buffer = new Buffer();
    buffer.addText(line);
    buffer.guessSegmentProperties();
    // else the browser's own, by which some faces draw letters differently
    buffer.setLanguage("en");
    shape(this.#font, buffer);
    const places = buffer.getGlyphPositions();
    return buffer.getGlyphInfos().map(({ codepoint, cluster }, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = places[index] ?? {};
      return { id: codepoint, cluster, advance: xAdvance, x: xOffset, y: yOffset };
    });
  }

  draw(glyph: number): Command[] {
    const commands: Command[] = [];
    this.#font.drawGlyph(glyph, pen, commands);
    return commands;
  }
}

const FILES = import.meta.glob<string>("../../../../functions/_shared/scene/faces/*.ttf", {
  query: "?url",
  import: "default",
  eager: true,
});
const loaded = new Map<string, Promise<Face>>();

/** The face of an id of FACES. One that could not be fetched is tried again at the next use. */
export function loadFace(id: string): Promise<Face> {
  const known = loaded.get(id);
  if (known) return known;
  const face = fetchFace(id);
  loaded.set(id, face);
  face.catch(() => loaded.delete(id));
  return face;
}

async function fetchFace(id: string): Promise<Face> {
  const response = await fetch(FILES[`../../../../functions/_shared/scene/faces/${id}.ttf`] ?? "");
  if (!response.ok) {
    throw new ServiceError(
      "The lettering could not be loaded.",
      "face_not_loaded",
      response.status,
    );
  }
  return new Face(await response.arrayBuffer());
}
