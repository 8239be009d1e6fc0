import { Button } from "@/components/ui/button";
import { LEAST_DPI } from "@/shop/scene/placement";
import { DESIGN, type PictureLayer } from "@/shop/scene/scene";
import { InkChoice } from "../parts/ink-choice";
import { NumberField } from "../parts/number-field";
import type { Picture } from "../stage/pictures";
import type { LayerChange } from "../state/edits";
import { BackgroundChoice } from "./background-choice";
import { MorePictures } from "./more-pictures";

interface PicturePanelProps {
  layer: PictureLayer;
  cloth: string;
  /** Pixels an inch at which it prints; undefined for drawings, which are sharp at any size. */
  dpi: number | undefined;
  designId: string;
  /** Undefined while it is looked up. */
  picture: Picture | undefined;
  /** The design's own first picture, where it has one. */
  original: Picture | undefined;
  /** Stores the draft; its revision. */
  flush: () => Promise<number | undefined>;
  onChange: (change: LayerChange) => void;
  /** Another picture in this one's place, where that is still there. */
  onSwap: (from: string, to: string) => void;
}

const WHOLE = { left: 0, top: 0, width: 1, height: 1 };
const EDGES = ["left", "right", "top", "bottom"] as const;

export function PicturePanel(props: PicturePanelProps) {
  const { layer, cloth, dpi, designId, picture, original, flush, onChange, onSwap } = props;
  const isDrawn = layer.source === DESIGN || picture?.isDrawn;
  return (
    <div className="flex flex-col gap-4">
      <Sharpness dpi={dpi} />
      {isDrawn ? (
        <MorePictures
          designId={designId}
          layer={layer}
          cloth={cloth}
          original={original}
          onChange={onChange}
        />
      ) : null}
      <InkChoice
        label="One ink for all of it"
        none="Its own colors"
        value={layer.color ?? undefined}
        cloth={cloth}
        onChange={(color) => onChange({ color })}
      />
      {picture ? (
        <BackgroundChoice
          designId={designId}
          layer={layer}
          picture={picture}
          flush={flush}
          onSwap={onSwap}
        />
      ) : null}
      <Crop layer={layer} onChange={onChange} />
    </div>
  );
}

function Sharpness({ dpi }: Pick<PicturePanelProps, "dpi">) {
  if (dpi === undefined) return null;
  return (
    <p
      className={dpi < LEAST_DPI ? "text-sm font-medium text-tomato-text" : "text-sm text-ink-soft"}
    >
      <strong className="tabular-nums">{Math.round(dpi)} DPI</strong>{" "}
      {dpi < LEAST_DPI
        ? `at this size: it will look soft. Make it smaller until this says ${LEAST_DPI} or more.`
        : "at this size: it prints sharp."}
    </p>
  );
}

/** Cuts from each edge, in percent of the picture. */
function Crop({ layer, onChange }: Pick<PicturePanelProps, "layer" | "onChange">) {
  const crop = layer.crop ?? WHOLE;
  const cut = {
    left: crop.left,
    top: crop.top,
    right: 1 - crop.left - crop.width,
    bottom: 1 - crop.top - crop.height,
  };

  function change(edge: (typeof EDGES)[number], percent: number) {
    const next = { ...cut, [edge]: percent / 100 };
    const width = 1 - next.left - next.right;
    const height = 1 - next.top - next.bottom;
    if (width < 0.02 || height < 0.02) return;
    const whole = EDGES.every((each) => next[each] < 0.0005);
    onChange({
      crop: whole ? undefined : { left: next.left, top: next.top, width, height },
      // What stays of it stays as large as it was.
      scale: layer.scale * (width / crop.width),
    });
  }

  return (
    <fieldset aria-label="Crop" className="min-w-0 flex flex-col gap-2 border-t border-line pt-3">
      <div className="flex items-center justify-between">
        <p className="text-sm font-semibold">Crop, % from each edge</p>
        {layer.crop ? (
          <Button
            variant="link"
            size="inline"
            className="text-sm"
            onClick={() => onChange({ crop: undefined, scale: layer.scale / crop.width })}
          >
            Show it all
          </Button>
        ) : null}
      </div>
      <div className="grid grid-cols-4 gap-2">
        {EDGES.map((edge) => (
          <NumberField
            key={edge}
            label={edge.charAt(0).toUpperCase() + edge.slice(1)}
            value={cut[edge] * 100}
            digits={1}
            least={0}
            most={98}
            disabled={layer.locked}
            onChange={(value) => change(edge, value)}
          />
        ))}
      </div>
    </fieldset>
  );
}
