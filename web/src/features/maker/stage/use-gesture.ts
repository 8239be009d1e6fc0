/** Pointers on the stage: one moves, scales or turns a layer, two fingers do all three at once. */
import { type PointerEvent, type RefObject, useRef, useState } from "react";
import { contains, type Guide, layerBox, type Point } from "@/shop/scene/geometry";
import type { Size } from "@/shop/scene/placement";
import type { Layer } from "@/shop/scene/scene";
import type { MakerActions } from "../state/use-maker";
import { type CornerIndex, moved, type Place, pinched, scaled, snapped, turned } from "./gestures";

/** A finger's tremble on a click, in pixels of the screen. */
const STILL = 4;
/** How near a line catches, in pixels of the screen. */
const CATCH = 7;

type Grip = { kind: "move" } | { kind: "scale"; corner: CornerIndex } | { kind: "turn" };

interface Gesture {
  layer: Layer;
  ratio: number;
  grip: Grip;
  from: Point;
  /** Selected instead where the pointer has not moved when it is let go. */
  clicked: string | null;
  isMoving: boolean;
  fingers?: readonly [Point, Point];
}

interface Stage {
  /** Its content is in pixels of the print area. */
  space: RefObject<SVGGElement | null>;
  area: Size;
  layers: readonly Layer[];
  selected: Layer | undefined;
  ratioOf: (layer: Layer) => number;
  actions: MakerActions;
}

export function useGesture({ space, area, layers, selected, ratioOf, actions }: Stage) {
  const pointers = useRef(new Map<number, Point>());
  const gesture = useRef<Gesture>(undefined);
  const [guides, setGuides] = useState<readonly Guide[]>([]);

  function pointOf(event: PointerEvent): Point {
    const matrix = space.current?.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x: point.x, y: point.y };
  }

  /** Pixels of the area to one of the screen. */
  function unit(): number {
    return 1 / (space.current?.getScreenCTM()?.a ?? 1);
  }

  function begin(layer: Layer, grip: Grip, from: Point, clicked: string | null = null): void {
    if (layer.locked) return;
    gesture.current = { layer, ratio: ratioOf(layer), grip, from, clicked, isMoving: false };
  }

  function down(event: PointerEvent<SVGSVGElement>): void {
    if (event.button !== 0) return;
    const point = pointOf(event);
    pointers.current.set(event.pointerId, point);
    event.currentTarget.setPointerCapture(event.pointerId);
    const fingers = twoFingers();
    if (fingers && selected && !selected.locked) {
      begin(selected, { kind: "move" }, point);
      if (gesture.current) gesture.current = { ...gesture.current, fingers, isMoving: true };
      return;
    }
    const target = event.target as Element;
    const handle = target.closest("[data-handle]")?.getAttribute("data-handle");
    const id = target.closest("[data-layer]")?.getAttribute("data-layer") ?? null;
    const hit = layers.find((layer) => layer.id === id);
    if (selected && handle) begin(selected, gripOf(handle), point);
    else if (
      selected &&
      hit &&
      hit !== selected &&
      contains(layerBox(selected, ratioOf(selected), area), point)
    )
      begin(selected, { kind: "move" }, point, hit.id);
    else if (hit) {
      actions.select(hit.id);
      begin(hit, { kind: "move" }, point);
    } else actions.select(null);
  }

  function twoFingers(): readonly [Point, Point] | undefined {
    const [a, b, ...others] = pointers.current.values();
    return a && b && others.length === 0 ? [a, b] : undefined;
  }

  function move(event: PointerEvent<SVGSVGElement>): void {
    if (!pointers.current.has(event.pointerId)) return;
    const point = pointOf(event);
    pointers.current.set(event.pointerId, point);
    const running = gesture.current;
    if (!running) return;
    const distance = Math.hypot(point.x - running.from.x, point.y - running.from.y);
    if (!running.isMoving && distance < STILL * unit()) return;
    running.isMoving = true;
    const { place, guides: lines } = placeAt(running, point, event);
    setGuides(lines);
    actions.change(running.layer.id, place, "drag");
  }

  function placeAt(
    { layer, ratio, grip, from, fingers }: Gesture,
    point: Point,
    { shiftKey, altKey }: PointerEvent,
  ): { place: Place; guides: readonly Guide[] } {
    const { x, y, scale, angle } = layer;
    const start = { x, y, scale, angle };
    const now = twoFingers();
    if (fingers) return { place: now ? pinched(start, area, fingers, now) : start, guides: [] };
    if (grip.kind === "turn") return { place: turned(start, area, point, altKey), guides: [] };
    if (grip.kind === "scale")
      return { place: scaled(start, ratio, area, grip.corner, point), guides: [] };
    const by = { x: point.x - from.x, y: point.y - from.y };
    if (shiftKey) by[Math.abs(by.x) > Math.abs(by.y) ? "y" : "x"] = 0;
    const place = moved(start, by, area);
    return altKey ? { place, guides: [] } : snapped(place, ratio, area, CATCH * unit());
  }

  function up(event: PointerEvent<SVGSVGElement>): void {
    pointers.current.delete(event.pointerId);
    const ended = gesture.current;
    gesture.current = undefined;
    setGuides([]);
    if (!ended) return;
    if (!ended.isMoving && ended.clicked) actions.select(ended.clicked);
    actions.settle();
  }

  return {
    guides,
    handlers: {
      onPointerDown: down,
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: up,
    },
  };
}

function gripOf(handle: string): Grip {
  if (handle === "turn") return { kind: "turn" };
  return { kind: "scale", corner: Number(handle) as CornerIndex };
}
