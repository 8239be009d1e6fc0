import type { Picture } from "./pictures";

interface PictureImageProps {
  picture: Picture;
  alt: string;
  /** How wide it is shown, as <img sizes> says it. */
  sizes: string;
  eager?: boolean;
  className?: string;
}

export function PictureImage({ picture, alt, sizes, eager, className }: PictureImageProps) {
  return (
    <img
      {...picture}
      alt={alt}
      sizes={picture.srcSet ? sizes : undefined}
      loading={eager ? undefined : "lazy"}
      fetchPriority={eager ? "high" : undefined}
      decoding="async"
      className={className}
    />
  );
}
