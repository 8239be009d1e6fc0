/** The pictures that a scene's layers show: addresses that the browser draws from, and their pixels. */
import { DESIGN, type Scene } from "@/shop/scene/scene";
import { useArtwork } from "../api/list-artwork";

export interface Picture {
  href: string;
  width: number;
  height: number;
  /** A drawing, which is sharp at any size. */
  isVector: boolean;
  /** As a layer's source: the picture that this one was cut out of, where it can be put back. */
  cutFrom?: string | undefined;
  /** The shop drew it. */
  isDrawn?: boolean;
}

/** `original` is the design's own first picture, where it has one. */
export function usePictures(designId: string, scene: Scene, original: Picture | null) {
  const ids = new Set<string>();
  for (const layer of [...scene.front, ...scene.back])
    if (layer.kind === "picture" && layer.source !== DESIGN) ids.add(layer.source);
  const artwork = useArtwork([...ids]);
  return (source: string): Picture | undefined => {
    if (source === DESIGN) return original ?? undefined;
    const found = artwork.data?.find(({ id }) => id === source);
    return found?.href
      ? { ...found, href: found.href, cutFrom: sourceOf(found.cutFrom, designId, original) }
      : undefined;
  };
}

/** A first picture can be put back in its own design alone. */
function sourceOf(origin: string | undefined, designId: string, original: Picture | null) {
  if (!origin?.startsWith("design:")) return origin;
  return original && origin === `design:${designId}` ? DESIGN : undefined;
}
