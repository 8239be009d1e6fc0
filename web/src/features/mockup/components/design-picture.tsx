import { ImageFrame } from "@/components/image-frame";
import { imageSource } from "@/lib/image-source";
import type { Design } from "@/lib/shop/get-design";

/** The design itself, while there is no product to show it on. */
export function DesignPicture({ design }: { design: Design }) {
  const sources = [imageSource(design.image_data), imageSource(design.thumbnail_data)];
  const stored = sources.some((source) => source !== undefined);
  return (
    <div className="flex flex-col gap-4">
      <ImageFrame
        eager
        sources={sources}
        alt={design.name}
        size={800}
        className="halftone rounded-card border border-line p-8"
        empty={stored ? "Failed to load image" : "No preview available"}
      />
      <p className="text-ink-soft">
        {design.printify_product_id
          ? "No variant selected for mockup preview"
          : "Product is being prepared. Mockup preview will be available shortly."}
      </p>
    </div>
  );
}
