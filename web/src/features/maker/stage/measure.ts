/** A design's own picture: its pixels, and where its ink is. */
import type { Crop } from "@/shop/scene/scene";
import type { Picture } from "./pictures";

/** Half-transparent pixels count from the middle on, as in print. */
const INK = 128;

export interface Original extends Picture {
  ink: Crop;
}

/** Null where all of it is transparent. */
export async function measured(href: string): Promise<Original | null> {
  const image = new Image();
  // else the browser keeps its pixels to itself
  image.crossOrigin = "anonymous";
  image.src = href;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("The browser draws no pictures");
  context.drawImage(image, 0, 0);
  const ink = inkOf(context.getImageData(0, 0, width, height));
  return ink && { href, width, height, isVector: false, ink };
}

/** The box around all ink, as shares of the picture. */
function inkOf({ data, width, height }: Pick<ImageData, "data" | "width" | "height">) {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < INK) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (right < 0) return null;
  return {
    left: left / width,
    top: top / height,
    width: (right - left + 1) / width,
    height: (bottom - top + 1) / height,
  };
}
