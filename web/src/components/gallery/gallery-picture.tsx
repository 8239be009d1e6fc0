import { ImageFrame } from "@/components/image-frame";
import { ShirtStandIn } from "@/components/shirt-stand-in";
import { imageSource } from "@/lib/browser/image-source";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { mockupUrl } from "@/shop/designs/mockup-url";
import type { GalleryItem } from "@/shop/gallery/gallery-items";

interface GalleryPictureProps {
  item: GalleryItem;
  alt: string;
  size: number;
  /** The shirt first, and the small stored picture only where there is none. */
  shirtFirst?: boolean;
  /** On the first screen: loaded at once. */
  eager?: boolean;
  className?: string;
}

export function GalleryPicture(props: GalleryPictureProps) {
  const { item, alt, size, shirtFirst, eager, className } = props;
  const thumbnail = imageSource(item.thumbnail);
  const needsShirt = shirtFirst || !thumbnail;
  const shirt = useShirt(item, needsShirt, size);
  return (
    <ImageFrame
      sources={shirtFirst ? [shirt?.mockup, thumbnail] : [thumbnail, shirt?.mockup]}
      standIn={
        shirtFirst && shirt ? (
          <ShirtStandIn pictures={[item.thumbnail]} color={shirt.color} />
        ) : undefined
      }
      alt={alt}
      size={size}
      eager={eager ?? shirtFirst ?? false}
      empty="No preview"
      className={className ?? ""}
    />
  );
}

/** The print provider's picture. The catalog holds the variant's number there; it is loaded only when needed. */
function useShirt(item: GalleryItem, enabled: boolean, size: number) {
  const variants = useProductVariants({ enabled: enabled && item.productId !== null });
  const variant = variants.data?.find((each) => each.id === item.colorId);
  if (!enabled || !item.productId || !variant) return undefined;
  const mockup = mockupUrl({
    productId: item.productId,
    printifyVariantId: variant.printify_variant_id,
    size: size > 400 ? 800 : 400,
  });
  return { mockup, color: variant.color_hex };
}
