/** Layers in words: for lists, for names that screen readers say, for announcements. */
import type { Layer } from "@/shop/scene/scene";

const LONGEST = 24;

export function layerName(layer: Layer): string {
  switch (layer.kind) {
    case "picture":
      return layer.source === "design" ? "Your design" : "Picture";
    case "lettering": {
      const [line = ""] = layer.text.split("\n");
      return line.length > LONGEST ? `“${line.slice(0, LONGEST)}…”` : `“${line}”`;
    }
    case "shape":
      return layer.shape.charAt(0).toUpperCase() + layer.shape.slice(1);
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Where a layer is, as said after each move. */
export function placeInWords({ x, y, angle }: Pick<Layer, "x" | "y" | "angle">): string {
  const turn = angle === 0 ? "" : `, turned by ${Math.round(angle)} degrees`;
  return `${percent(x)} across, ${percent(y)} down${turn}`;
}
