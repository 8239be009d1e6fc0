import { ImageFrame } from "@/components/image-frame";
import { ShirtStandIn } from "@/components/shirt-stand-in";
import { imageSource } from "@/lib/browser/image-source";
import { cn } from "@/lib/text/cn";
import type { ColorGroup } from "@/shop/catalog/variants";

interface ColoredShirtProps {
  name: string;
  /** The print provider's picture, of the shirt in `photographed`. */
  mockup: string | undefined;
  photographed: ColorGroup | undefined;
  /** The colour to show. Without one the design's own picture may stand alone. */
  color: ColorGroup | undefined;
  /** The design's stored pictures, the better one first. */
  pictures: (string | null | undefined)[];
}

const frame = "halftone w-full rounded-card border border-line";

/** The design on a shirt: photographed in its own colour, drawn at once in any other. */
export function ColoredShirt(props: ColoredShirtProps) {
  const { name, mockup, photographed, color, pictures } = props;
  if (color && color.name !== (mockup ? photographed?.name : undefined)) {
    return (
      <div
        role="img"
        aria-label={`${name} on a ${color.name} t-shirt`}
        className={cn("grid aspect-square place-items-center bg-sunk", frame)}
      >
        <ShirtStandIn pictures={pictures} color={color.hex} />
      </div>
    );
  }
  return (
    <ImageFrame
      eager
      sources={[mockup, ...pictures.map(imageSource)]}
      standIn={mockup ? <ShirtStandIn pictures={pictures} color={photographed?.hex} /> : undefined}
      alt={name}
      size={800}
      empty="Preview unavailable"
      className={frame}
    />
  );
}
