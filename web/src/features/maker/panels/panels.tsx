import { useState } from "react";
import { Card, CardTitle } from "@/components/ui/card";
import { MOST_LAYERS } from "@/shop/scene/scene";
import { CheckPanel } from "../check/check-panel";
import { bestInk } from "../parts/palette";
import { usePainted } from "../parts/use-painted";
import { newLayerId } from "../state/edits";
import { newLettering, newPicture, newShape } from "../state/new-layers";
import { AddBar } from "./add-bar";
import { AddPicture } from "./add-picture";
import { LayerList } from "./layer-list";
import { LayerPanel, type PanelsProps } from "./layer-panel";
import { VersionsPanel } from "./versions-panel";

/** What can be done, beside the shirt. */
export function Panels(props: PanelsProps) {
  const { designId, layers, selected, cloth, actions, check, isEmpty, onReturned } = props;
  const [uploading, setUploading] = useState(false);
  const ink = bestInk(cloth);
  // The hand goes on at once; what there is to say about the layer follows.
  const openId = usePainted(selected?.id);
  const open = layers.find((layer) => layer.id === openId);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Card className="flex flex-col gap-4">
        <CardTitle>Layers</CardTitle>
        <AddBar
          disabled={layers.length >= MOST_LAYERS}
          onLettering={() => actions.add(newLettering(newLayerId(), ink))}
          onPicture={() => setUploading(true)}
          onShape={(shape) => actions.add(newShape(newLayerId(), shape, ink))}
        />
        <LayerList layers={layers} selected={selected} onSelect={actions.select} />
      </Card>
      {open ? <LayerPanel key={open.id} {...props} layer={open} /> : null}
      <CheckPanel
        check={check}
        cloth={cloth}
        isEmpty={isEmpty}
        onShow={({ side, layer }) => {
          actions.turn(side);
          if (layer) actions.select(layer);
        }}
      />
      <VersionsPanel designId={designId} onReturned={onReturned} />
      <AddPicture
        open={uploading}
        flush={props.flush}
        onClose={() => setUploading(false)}
        onAdded={(artwork) => actions.add(newPicture(newLayerId(), artwork))}
      />
    </div>
  );
}
