import type { Size } from "@/shop/scene/placement";
import type { Layer } from "@/shop/scene/scene";

interface SelectionProps {
  layer: Layer;
  ratio: number;
  area: Size;
  /** Pixels of the area to one of the screen. */
  unit: number;
}

/** Upper left, upper right, lower right, lower left. */
const CURSORS = ["nwse-resize", "nesw-resize", "nwse-resize", "nesw-resize"];

/** The frame of the selected layer: corners scale it, the handle above turns it. The keyboard does both without them. */
export function Selection({ layer, ratio, area, unit }: SelectionProps) {
  const width = layer.scale * area.width;
  const height = width * ratio;
  const above = -height / 2 - 30 * unit;
  return (
    <g
      transform={`translate(${layer.x * area.width} ${layer.y * area.height}) rotate(${layer.angle})`}
      className="stroke-[#2746e6] [&_*]:[vector-effect:non-scaling-stroke]"
    >
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        fill="none"
        stroke="#fff"
        strokeWidth="4"
        pointerEvents="none"
      />
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        fill="none"
        strokeWidth="2"
        strokeDasharray={layer.locked ? "6 5" : undefined}
        pointerEvents="none"
      />
      {layer.locked ? null : (
        <>
          <line x1="0" x2="0" y1={-height / 2} y2={above} strokeWidth="2" pointerEvents="none" />
          <Handle name="turn" x={0} y={above} unit={unit} cursor="grab" />
          {CURSORS.map((cursor, index) => (
            <Handle
              // biome-ignore lint/suspicious/noArrayIndexKey: the four corners, in their order
              key={index}
              name={String(index)}
              x={index === 0 || index === 3 ? -width / 2 : width / 2}
              y={index < 2 ? -height / 2 : height / 2}
              unit={unit}
              cursor={cursor}
            />
          ))}
        </>
      )}
    </g>
  );
}

interface HandleProps {
  name: string;
  x: number;
  y: number;
  unit: number;
  cursor: string;
}

/** Twice as large for a finger as it looks. */
function Handle({ name, x, y, unit, cursor }: HandleProps) {
  return (
    <g data-handle={name} style={{ cursor }}>
      <circle cx={x} cy={y} r={17 * unit} fill="transparent" stroke="none" />
      <circle cx={x} cy={y} r={7 * unit} fill="#fff" strokeWidth="2" />
    </g>
  );
}
