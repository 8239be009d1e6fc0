/** Changes of a scene, as values: each gives a new scene and shares what it left alone. */
import { newUuid } from "@/lib/text/new-uuid";
import { type Layer, type Scene, SIDES, type Side } from "@/shop/scene/scene";

/** How far from its pattern a copy lies, as a share of the area. */
const ASIDE = 0.03;

/** A part of any kind of layer; a key that is undefined is left out. */
export type LayerChange = { [Key in AllKeys<Layer>]?: ValueOf<Layer, Key> | undefined };
type AllKeys<T> = T extends unknown ? keyof T : never;
type ValueOf<T, Key extends PropertyKey> = T extends unknown
  ? Key extends keyof T
    ? T[Key]
    : never
  : never;

export function newLayerId(): string {
  return newUuid();
}

export function findLayer(scene: Scene, id: string | null): Layer | undefined {
  return [...scene.front, ...scene.back].find((layer) => layer.id === id);
}

export function sideOf(scene: Scene, id: string): Side | undefined {
  return SIDES.find((side) => scene[side].some((layer) => layer.id === id));
}

/** On top of the side's others. */
export function addLayer(scene: Scene, side: Side, layer: Layer): Scene {
  return { ...scene, [side]: [...scene[side], layer] };
}

export function changeLayer(scene: Scene, id: string, change: LayerChange): Scene {
  return onItsSide(scene, id, (layers) =>
    layers.map((layer) => (layer.id === id ? changed(layer, change) : layer)),
  );
}

function changed(layer: Layer, change: LayerChange): Layer {
  const entries: [string, unknown][] = Object.entries({ ...layer, ...change });
  // By the kind's own panel: what it changes is the kind's.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown as Layer;
}

export function removeLayer(scene: Scene, id: string): Scene {
  return onItsSide(scene, id, (layers) => layers.filter((layer) => layer.id !== id));
}

/** A copy above its pattern and a little aside, under the id `copy`. */
export function duplicateLayer(scene: Scene, id: string, copy: string): Scene {
  return onItsSide(scene, id, (layers) =>
    layers.flatMap((layer) =>
      layer.id === id
        ? [layer, { ...layer, id: copy, x: layer.x + ASIDE, y: layer.y + ASIDE, locked: false }]
        : [layer],
    ),
  );
}

/** One place up (1) or down (-1) among the layers of its side. */
export function reorderLayer(scene: Scene, id: string, by: 1 | -1): Scene {
  return onItsSide(scene, id, (layers) => {
    const from = layers.findIndex((layer) => layer.id === id);
    const [layer] = layers.slice(from, from + 1);
    const to = from + by;
    if (!layer || to < 0 || to >= layers.length) return layers;
    const rest = layers.toSpliced(from, 1);
    return rest.toSpliced(to, 0, layer);
  });
}

/** The same scene where nothing changes, so that nothing is there to undo. */
function onItsSide(scene: Scene, id: string, edit: (layers: Layer[]) => Layer[]): Scene {
  const side = sideOf(scene, id);
  if (!side) return scene;
  const layers = edit(scene[side]);
  return layers === scene[side] ? scene : { ...scene, [side]: layers };
}
