/** The pictures that a scene's layers show: addresses that the browser draws from, and their pixels. */
import { DESIGN, type Scene } from "@/shop/scene/scene";
import { useArtwork } from "../api/list-artwork";

export interface Picture {
  href: string;
  width: number;
  height: number;
  /** A drawing, which is sharp at any size. */
  isVector: boolean;
}

/** `original` is the design's own first picture, where it has one. */
export function usePictures(scene: Scene, original: Picture | null) {
  const ids = new Set<string>();
  for (const layer of [...scene.front, ...scene.back])
    if (layer.kind === "picture" && layer.source !== DESIGN) ids.add(layer.source);
  const artwork = useArtwork([...ids]);
  return (source: string): Picture | undefined => {
    if (source === DESIGN) return original ?? undefined;
    const found = artwork.data?.find(({ id }) => id === source);
    return found?.href ? { ...found, href: found.href } : undefined;
  };
}
