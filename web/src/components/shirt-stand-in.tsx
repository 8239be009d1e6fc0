import { imageSource } from "@/lib/browser/image-source";
import { ShirtPreview } from "./shirt-preview";

interface ShirtStandInProps {
  /** The stored pictures, the better one first. */
  pictures: (string | null | undefined)[];
  color: string | undefined;
  /** Small: without a shadow, and up to the edges. */
  flat?: boolean;
}

/** What a frame shows until the studio has photographed the shirt: the design's own picture, on a drawn one. */
export function ShirtStandIn({ pictures, color, flat = false }: ShirtStandInProps) {
  const picture = pictures.map(imageSource).find(Boolean);
  if (!color) {
    return picture ? (
      <img src={picture} alt="" className="size-full object-contain p-[12%]" />
    ) : null;
  }
  return (
    <ShirtPreview
      flat={flat}
      color={color}
      picture={picture}
      alt=""
      className={flat ? "w-[92%]" : "w-[78%]"}
    />
  );
}
