/** Pictures made smaller in the browser: photos before they are sent, and thumbnails before they are saved. */

const THUMBNAIL_SIDE = 256;
/** Enough to find the margins by. */
const INK_SIDE = 512;
const THUMBNAIL_QUALITY = 0.8;
const PHOTO_SIDE = 1536;
const PHOTO_QUALITY = 0.92;

interface Size {
  width: number;
  height: number;
}

/** Scaled so that the longest side is at most `side`; small pictures stay as they are. */
export function fitWithin(size: Size, side: number): Size {
  return Math.max(size.width, size.height) <= side ? size : scaleTo(size, side);
}

/** Scaled so that the longest side is `side`: a drawing has no pixels of its own. A square where it has no size. */
export function scaleTo({ width, height }: Size, side: number): Size {
  const scale = side / Math.max(width, height);
  if (!Number.isFinite(scale)) return { width: side, height: side };
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

export function withoutPrefix(dataUrl: string): string {
  return dataUrl.replace(/^data:[^,]*,/, "");
}

function loadImage(source: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("Failed to load image for thumbnail generation"));
    image.src = source;
  });
}

function sizeOf(image: HTMLImageElement): Size {
  return { width: image.naturalWidth, height: image.naturalHeight };
}

function draw(image: CanvasImageSource, size: Size, ground?: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("Could not get canvas context");
  if (ground) {
    context.fillStyle = ground;
    context.fillRect(0, 0, size.width, size.height);
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, size.width, size.height);
  return canvas;
}

/** The pixels of the picture without its transparent margins; null where all of it is transparent. */
export async function inkSize(source: string): Promise<Size | null> {
  const image = await loadImage(source);
  const canvas = draw(image, fitWithin(sizeOf(image), INK_SIDE));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("Could not get canvas context");
  const box = opaqueBox(context.getImageData(0, 0, canvas.width, canvas.height));
  const scale = image.naturalWidth / canvas.width;
  return box && { width: Math.round(box.width * scale), height: Math.round(box.height * scale) };
}

/** The size of the box around all pixels that print. Half-transparent ones count from the middle on, as in print. */
export function opaqueBox({ data, width, height }: ImageData): Size | null {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < 128) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? null : { width: right - left + 1, height: bottom - top + 1 };
}

/** A base64 JPEG of the design. JPEG knows no transparency, so the shirt's colour lies under it. */
export async function makeThumbnail(dataUrl: string, shirtHex: string): Promise<string> {
  const image = await loadImage(dataUrl);
  const canvas = draw(image, fitWithin(sizeOf(image), THUMBNAIL_SIDE), shirtHex);
  return withoutPrefix(canvas.toDataURL("image/jpeg", THUMBNAIL_QUALITY));
}

/** Whether any pixel lets the shirt through. */
export function hasTransparency({ data }: ImageData): boolean {
  for (let at = 3; at < data.length; at += 4) {
    if (data[at] !== 255) return true;
  }
  return false;
}

/** An SVG at the size that is printed. */
async function drawVector(file: File): Promise<HTMLCanvasElement> {
  const url = URL.createObjectURL(file);
  try {
    const image = await loadImage(url);
    return draw(image, scaleTo(sizeOf(image), PHOTO_SIDE));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Unlike an <img>, a bitmap fails where the file ends before its picture does. */
async function drawBitmap(file: File): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(file);
  try {
    return draw(bitmap, fitWithin(bitmap, PHOTO_SIDE));
  } finally {
    bitmap.close();
  }
}

/**
 * A photo as a data URL of a size that is quick to send: phones take 12-megapixel pictures. Rejects a file that is not
 * one whole picture.
 * PNG where its pixels are transparent, whatever format they came in: JPEG would lay a white box around a cut-out.
 */
export async function readPhoto(file: File): Promise<string> {
  const canvas = await (file.type === "image/svg+xml" ? drawVector(file) : drawBitmap(file));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("Could not get canvas context");
  const keepsPixels =
    file.type === "image/png" ||
    hasTransparency(context.getImageData(0, 0, canvas.width, canvas.height));
  return keepsPixels
    ? canvas.toDataURL("image/png")
    : canvas.toDataURL("image/jpeg", PHOTO_QUALITY);
}
