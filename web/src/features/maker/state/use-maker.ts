import { startTransition, useMemo, useReducer } from "react";
import type { Layer, Scene, Side } from "@/shop/scene/scene";
import {
  addLayer,
  changeLayer,
  duplicateLayer,
  findLayer,
  type LayerChange,
  newLayerId,
  removeLayer,
  reorderLayer,
} from "./edits";
import { beginMaker, type MakerState, reduceMaker } from "./maker-state";

export interface MakerActions {
  /** Changes of one layer under one name, until `settle`, are one step to undo. */
  change: (id: string, change: LayerChange, name?: string) => void;
  settle: () => void;
  add: (layer: Layer) => void;
  remove: (id: string) => void;
  duplicate: (id: string) => void;
  reorder: (id: string, by: 1 | -1) => void;
  select: (id: string | null) => void;
  turn: (side: Side) => void;
  undo: () => void;
  redo: () => void;
  replace: (scene: Scene) => void;
}

export interface Maker {
  state: MakerState;
  selected: Layer | undefined;
  actions: MakerActions;
}

export function useMaker(initial: Scene): Maker {
  const [state, dispatch] = useReducer(reduceMaker, initial, beginMaker);
  const { scene, side } = state;
  const actions = useMemo<MakerActions>(
    () => ({
      change: (id, change, name) =>
        dispatch({
          type: "change",
          edit: (before) => changeLayer(before, id, change),
          ...(name && { name: `${name} ${id}` }),
        }),
      // Nothing that is shown depends on it: it waits for the frame, not the frame for it.
      settle: () => startTransition(() => dispatch({ type: "settle" })),
      add: (layer) =>
        dispatch({
          type: "change",
          edit: (before, shown) => addLayer(before, shown, layer),
          selected: layer.id,
        }),
      remove: (id) =>
        dispatch({ type: "change", edit: (before) => removeLayer(before, id), selected: null }),
      duplicate: (id) => {
        const copy = newLayerId();
        dispatch({
          type: "change",
          edit: (before) => duplicateLayer(before, id, copy),
          selected: copy,
        });
      },
      reorder: (id, by) =>
        dispatch({ type: "change", edit: (before) => reorderLayer(before, id, by) }),
      select: (id) => dispatch({ type: "select", id }),
      turn: (shown) => dispatch({ type: "turn", side: shown }),
      // May change all there is: the press itself is painted first.
      undo: () => startTransition(() => dispatch({ type: "undo" })),
      redo: () => startTransition(() => dispatch({ type: "redo" })),
      replace: (next) => dispatch({ type: "replace", scene: next }),
    }),
    [],
  );
  const onSide = scene[side].some((layer) => layer.id === state.selected);
  return { state, selected: onSide ? findLayer(scene, state.selected) : undefined, actions };
}
