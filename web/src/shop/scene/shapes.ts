/** The shapes that can be drawn: the server's own table. */
import shapes from "../../../../functions/_shared/scene/shapes.json";

export interface Shape {
  id: string;
  name: string;
  /** Height by width, as it begins. */
  ratio: number;
  /** In a box of 1000 × 1000, which is stretched. */
  path?: string;
  /** Of a rectangle, its corners' radius as a share of its shorter side. */
  rounded?: number;
}

export const SHAPES: readonly Shape[] = shapes;
