import { Maximize2 } from "lucide-react";
import { useState } from "react";
import { ImageFrame } from "@/components/image-frame";
import { ShirtStandIn } from "@/components/shirt-stand-in";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/text/cn";
import type { ColorGroup } from "@/shop/catalog/variants";
import { MOCKUP_VIEWS, mockupUrl, mockupViews } from "@/shop/designs/mockup-url";
import type { PreviewDesign } from "../api/get-preview-design";
import { EnlargedPicture } from "./enlarged-picture";

interface MockupViewerProps {
  productId: string;
  design: Pick<PreviewDesign, "name" | "image_data" | "thumbnail_data" | "has_back">;
  color: ColorGroup;
}

/** The product from five sides, and from behind where its back is printed. */
export function MockupViewer({ productId, design, color }: MockupViewerProps) {
  const [place, setPlace] = useState(0);
  const [enlarged, setEnlarged] = useState(false);
  const views = mockupViews(design.has_back, color.variant.back_view);
  const view = views[place] ?? MOCKUP_VIEWS[0];
  const url = (id: number, size: number) =>
    mockupUrl({
      productId,
      printifyVariantId: color.variant.printify_variant_id,
      view: id,
      size,
    });
  const alt = `${design.name} on a ${color.name} t-shirt, ${view.name.toLowerCase()} view`;
  return (
    <div className="flex flex-col gap-4">
      <div className="relative">
        <ImageFrame
          key={view.id}
          eager
          sources={[url(view.id, 800)]}
          alt={alt}
          standIn={
            <ShirtStandIn pictures={[design.image_data, design.thumbnail_data]} color={color.hex} />
          }
          size={800}
          className="rounded-card border border-line"
          empty={
            <div className="flex flex-col gap-1">
              <strong className="text-base text-ink">Mockup preview not available</strong>
              <span>Product preview is still being processed</span>
            </div>
          }
        />
        <Button
          variant="secondary"
          size="icon"
          aria-label="Enlarge the picture"
          className="absolute top-3 right-3"
          onClick={() => setEnlarged(true)}
        >
          <Maximize2 aria-hidden="true" />
        </Button>
      </div>
      <EnlargedPicture
        open={enlarged}
        onClose={() => setEnlarged(false)}
        source={url(view.id, 1200)}
        alt={alt}
        title={`${color.name}, ${view.name}`}
        onTurn={(by) => setPlace((place + by + views.length) % views.length)}
      />
      <div
        className={cn(
          "grid gap-2 sm:gap-3",
          views.length > 5 ? "grid-cols-3 sm:grid-cols-6" : "grid-cols-5",
        )}
      >
        {views.map((each, index) => (
          <button
            key={each.id}
            type="button"
            aria-pressed={each === view}
            onClick={() => setPlace(index)}
            className={cn(
              "flex flex-col gap-1 rounded-lg border base:border-line bg-raised p-1 text-xs font-semibold base:text-ink-soft hover:border-ink sm:text-sm",
              each === view && "border-ink text-ink ring-1 ring-ink",
            )}
          >
            <ImageFrame
              sources={[url(each.id, 400)]}
              alt=""
              empty={null}
              size={160}
              className="w-full"
            />
            {each.name}
          </button>
        ))}
      </div>
    </div>
  );
}
