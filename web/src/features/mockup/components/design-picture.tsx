import { ImageFrame } from "@/components/image-frame";
import { imageSource } from "@/lib/browser/image-source";
import type { PreviewDesign } from "../api/get-preview-design";

/** The design itself, while there is no product to show it on. */
export function DesignPicture({ design }: { design: PreviewDesign }) {
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
      <p className="text-ink-soft">{note(design)}</p>
    </div>
  );
}

function note(design: PreviewDesign): string {
  if (design.isSharedPrivately) return "This is a private design shared via link";
  if (design.printify_product_id) return "No variant selected for mockup preview";
  return "Product is being prepared. Mockup preview will be available shortly.";
}
