import { type KeyboardEvent, memo } from "react";
import type { Size } from "@/shop/scene/placement";
import type { Layer } from "@/shop/scene/scene";
import { layerName } from "../state/describe";
import type { Drawing } from "./drawings";

interface StageLayerProps {
  layer: Layer;
  drawing: Drawing;
  area: Size;
  isSelected: boolean;
  onKey: (event: KeyboardEvent, layer: Layer) => void;
  onReach: (layer: Layer) => void;
}

/** One layer, as it will be printed. A move changes its transform alone. */
export const StageLayer = memo(function StageLayer(props: StageLayerProps) {
  const { layer, drawing, area, isSelected, onKey, onReach } = props;
  const width = layer.scale * area.width;
  const height = width * drawing.ratio;
  const place = `translate(${layer.x * area.width} ${layer.y * area.height}) rotate(${layer.angle})`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of the drawing, which SVG has no button for
    <g
      data-layer={layer.id}
      role="button"
      tabIndex={0}
      aria-label={layer.locked ? `${layerName(layer)}, locked` : layerName(layer)}
      aria-pressed={isSelected}
      onFocus={(event) => {
        if (event.currentTarget.matches(":focus-visible")) onReach(layer);
      }}
      onKeyDown={(event) => onKey(event, layer)}
      className="touch-none outline-offset-4"
      style={{ cursor: layer.locked ? "default" : "move" }}
    >
      <g
        transform={`${place} scale(${layer.scale})`}
        pointerEvents="none"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: numbers, colors and outlines of a checked scene
        dangerouslySetInnerHTML={{ __html: drawing.markup }}
      />
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        transform={place}
        fill="transparent"
      />
    </g>
  );
});
