import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Tee } from "@/components/print/tee";
import type { Guide } from "@/shop/scene/geometry";
import { LARGEST_AREA, type Size } from "@/shop/scene/placement";
import type { Layer, Side } from "@/shop/scene/scene";
import type { Finding } from "../api/check-print";
import { placeByKey } from "../state/keys";
import type { MakerActions } from "../state/use-maker";
import type { Drawing } from "./drawings";
import { areaOnShirt, VIEW } from "./print-area";
import { Selection } from "./selection";
import { StageLayer } from "./stage-layer";
import { useGesture } from "./use-gesture";

interface StageProps {
  ref: RefObject<SVGSVGElement | null>;
  side: Side;
  cloth: { name: string; hex: string };
  size: string;
  /** Of the size in view. */
  area: Size;
  layers: readonly Layer[];
  selected: Layer | undefined;
  drawingOf: (layer: Layer) => Drawing | undefined;
  actions: MakerActions;
  onRemove: (id: string) => void;
  /** Of the print check, on this side. */
  findings: readonly Finding[];
}

/** The drawn shirt behind the scene: as much of it as the view shows. */
const SHIRT = {
  width: `${(412 / VIEW.width) * 100}%`,
  left: `${((-6 - VIEW.left) / VIEW.width) * 100}%`,
  top: `${((10 - VIEW.top) / VIEW.height) * 100}%`,
};

/** The shirt close by, and on it what is printed, under the hand. */
export function Stage(props: StageProps) {
  const { ref, side, cloth, size, area, layers, selected, drawingOf, actions, onRemove, findings } =
    props;
  const space = useRef<SVGGElement>(null);
  const clip = useId();
  const unit = useUnit(ref, areaOnShirt(side, size, area).width);
  const { guides, handlers } = useGesture({
    space,
    area: LARGEST_AREA,
    layers,
    selected,
    ratioOf: (layer) => drawingOf(layer)?.ratio ?? 1,
    actions,
  });

  const press = useCallback(
    (event: KeyboardEvent, layer: Layer) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") actions.select(layer.id);
      else if ((event.key === "Delete" || event.key === "Backspace") && !layer.locked)
        onRemove(layer.id);
      else {
        const place = layer.locked ? undefined : placeByKey(layer, event);
        if (!place) return;
        actions.select(layer.id);
        actions.change(layer.id, place, "keys");
      }
      event.preventDefault();
    },
    [actions, onRemove],
  );
  const reach = useCallback((layer: Layer) => actions.select(layer.id), [actions]);

  const box = areaOnShirt(side, size, area);
  const inArea = `translate(${box.left} ${box.top}) scale(${box.width / LARGEST_AREA.width})`;
  const drawn = layers.flatMap((layer) => {
    const drawing = drawingOf(layer);
    return drawing ? [{ layer, drawing }] : [];
  });
  const chosen = drawn.find(({ layer }) => layer === selected);
  return (
    <div className="relative w-full overflow-hidden rounded-card border border-line bg-sunk select-none halftone">
      {/* A layer of its own, painted once, and so is what is pointed at: a change of the scene paints the scene alone. */}
      <div aria-hidden="true" className="absolute will-change-transform" style={SHIRT}>
        <Tee color={cloth.hex} back={side === "back"} className="w-full" />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing, whose parts can be worked on */}
      <svg
        ref={ref}
        role="group"
        aria-label={`The ${side} of a ${cloth.name} shirt. Arrow keys move a layer, plus and minus scale it, brackets turn it.`}
        tabIndex={-1}
        viewBox={`${VIEW.left} ${VIEW.top} ${VIEW.width} ${VIEW.height}`}
        className="relative block w-full outline-none"
        style={{ touchAction: selected ? "none" : "pan-y" }}
        onMouseDown={(event) => event.preventDefault()}
        {...handlers}
      >
        <clipPath id={clip}>
          <rect {...placed(box)} />
        </clipPath>
        <g clipPath={`url(#${clip})`}>
          <g ref={space} transform={inArea}>
            {drawn.map(({ layer, drawing }) => (
              <StageLayer
                key={layer.id}
                layer={layer}
                drawing={drawing}
                area={LARGEST_AREA}
                isSelected={layer === selected}
                onKey={press}
                onReach={reach}
              />
            ))}
          </g>
        </g>
        <AreaFrame box={box} />
        <g transform={inArea} className="will-change-transform">
          <Findings findings={findings} />
          <Guides guides={guides} />
          {chosen ? (
            <Selection
              layer={chosen.layer}
              ratio={chosen.drawing.ratio}
              area={LARGEST_AREA}
              unit={unit}
            />
          ) : null}
        </g>
      </svg>
    </div>
  );
}

const placed = ({ left, top, width, height }: ReturnType<typeof areaOnShirt>) => ({
  x: left,
  y: top,
  width,
  height,
});

function AreaFrame({ box }: { box: ReturnType<typeof areaOnShirt> }) {
  return (
    <g pointerEvents="none" className="[&_*]:[vector-effect:non-scaling-stroke]" fill="none">
      <rect {...placed(box)} stroke="#fff" strokeOpacity="0.85" strokeWidth="1.5" />
      <rect {...placed(box)} stroke="#1b1714" strokeWidth="1.5" strokeDasharray="6 6" />
    </g>
  );
}

/** The reason where it is. */
function Findings({ findings }: Pick<StageProps, "findings">) {
  const { width, height } = LARGEST_AREA;
  return findings.map(({ kind, severity, box: [left, top, right, bottom] }) => (
    <rect
      key={[kind, left, top, right, bottom].join(" ")}
      x={left * width}
      y={top * height}
      width={(right - left) * width}
      height={(bottom - top) * height}
      fill={severity === "stop" ? "#f0492f" : "#ffc53a"}
      fillOpacity="0.18"
      stroke={severity === "stop" ? "#b92c13" : "#7a5200"}
      strokeWidth="2"
      vectorEffect="non-scaling-stroke"
      pointerEvents="none"
    />
  ));
}

function Guides({ guides }: { guides: readonly Guide[] }) {
  const { width, height } = LARGEST_AREA;
  return guides.map(({ axis, at }) => (
    <line
      key={axis}
      {...(axis === "x"
        ? { x1: at, x2: at, y1: 0, y2: height }
        : { x1: 0, x2: width, y1: at, y2: at })}
      stroke="#f0492f"
      strokeWidth="1.5"
      vectorEffect="non-scaling-stroke"
      pointerEvents="none"
    />
  ));
}

/** Pixels of the print area to one of the screen. */
function useUnit(ref: RefObject<SVGSVGElement | null>, areaWidth: number): number {
  const [shown, setShown] = useState(600);
  useLayoutEffect(() => {
    const stage = ref.current;
    if (!stage) return;
    const observer = new ResizeObserver(() => setShown(stage.clientWidth || 600));
    observer.observe(stage);
    return () => observer.disconnect();
  }, [ref]);
  return LARGEST_AREA.width / ((areaWidth / VIEW.width) * shown);
}
