import { memo } from "react";
import { Card, CardTitle } from "@/components/ui/card";
import { effectiveDpi } from "@/shop/scene/geometry";
import { LARGEST_AREA, type Size } from "@/shop/scene/placement";
import { DESIGN, type Layer, type Side } from "@/shop/scene/scene";
import type { Check } from "../check/use-check";
import type { Drawing } from "../stage/drawings";
import type { Picture } from "../stage/pictures";
import { layerName } from "../state/describe";
import type { LayerChange } from "../state/edits";
import type { MakerActions } from "../state/use-maker";
import { LayerActions } from "./layer-actions";
import { LetteringPanel } from "./lettering-panel";
import { PicturePanel } from "./picture-panel";
import { PlacePanel } from "./place-panel";
import { ShapePanel } from "./shape-panel";

/** What the panels beside the shirt need. */
export interface PanelsProps {
  designId: string;
  side: Side;
  layers: readonly Layer[];
  selected: Layer | undefined;
  cloth: string;
  /** The print area of the size in view. */
  area: Size;
  drawingOf: (layer: Layer) => Drawing | undefined;
  pictureOf: (source: string) => Picture | undefined;
  actions: MakerActions;
  onRemove: (id: string) => void;
  check: Check;
  /** Stores the draft; its revision. */
  flush: () => Promise<number | undefined>;
  /** Nothing is on either side. */
  isEmpty: boolean;
  onReturned: () => void;
}

type LayerPanelProps = PanelsProps & { layer: Layer };

/** Everything about the selected layer. */
export function LayerPanel(props: LayerPanelProps) {
  const { layer, layers, side, area, cloth, drawingOf, pictureOf, actions, onRemove } = props;
  const drawing = drawingOf(layer);
  return (
    <Card className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <CardTitle className="min-w-0 truncate">{layerName(layer)}</CardTitle>
        <LayerActions
          layer={layer}
          layers={layers}
          actions={actions}
          onRemove={() => onRemove(layer.id)}
        />
      </div>
      <Kind
        layer={layer}
        drawing={drawing}
        picture={layer.kind === "picture" ? pictureOf(layer.source) : undefined}
        original={pictureOf(DESIGN)}
        designId={props.designId}
        flush={props.flush}
        cloth={cloth}
        actions={actions}
      />
      <PlacePanel
        layer={layer}
        ratio={drawing?.ratio ?? 1}
        side={side}
        area={LARGEST_AREA}
        shown={area}
        actions={actions}
      />
    </Card>
  );
}

interface KindProps {
  layer: Layer;
  drawing: Drawing | undefined;
  picture: Picture | undefined;
  original: Picture | undefined;
  designId: string;
  flush: () => Promise<number | undefined>;
  cloth: string;
  actions: MakerActions;
}

/** Where a layer lies is not its affair: a move draws none of it anew. */
const Kind = memo(
  function Kind({ layer, drawing, picture, cloth, actions, ...rest }: KindProps) {
    const onChange = (change: LayerChange, name?: string) => actions.change(layer.id, change, name);
    const shared = { cloth, onChange, onSettle: actions.settle };
    if (layer.kind === "shape") return <ShapePanel layer={layer} {...shared} />;
    if (layer.kind === "lettering")
      return <LetteringPanel layer={layer} missing={drawing?.missing ?? []} {...shared} />;
    const shown = (picture?.width ?? 0) * (layer.crop?.width ?? 1);
    const dpi =
      picture && !picture.isVector
        ? effectiveDpi(shown, layer.scale * LARGEST_AREA.width)
        : undefined;
    return (
      <PicturePanel
        layer={layer}
        picture={picture}
        cloth={cloth}
        dpi={dpi}
        onChange={onChange}
        onSwap={(from, to) => actions.swap(layer.id, from, to)}
        {...rest}
      />
    );
  },
  (before, after) =>
    // without a drawing, while its face or picture is on the way, nothing else tells of a change
    (before.drawing === undefined
      ? before.layer === after.layer
      : before.drawing === after.drawing) &&
    before.picture?.href === after.picture?.href &&
    before.cloth === after.cloth &&
    before.layer.id === after.layer.id &&
    before.layer.scale === after.layer.scale &&
    before.layer.locked === after.layer.locked,
);
