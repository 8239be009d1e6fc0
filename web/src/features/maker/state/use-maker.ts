import { startTransition, useMemo, useReducer, useTransition } from "react";
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
  /** Another picture in the place of `from`, where that is still there. */
  swap: (id: string, from: string, to: string) => void;
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
  /** An undo is on its way: what is shown is not what is meant. */
  isTravelling: boolean;
  actions: MakerActions;
}

export function useMaker(initial: Scene): Maker {
  const [state, dispatch] = useReducer(reduceMaker, initial, beginMaker);
  const { scene, side } = state;
  const [isTravelling, startTravel] = useTransition();
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
      swap: (id, from, to) =>
        dispatch({
          type: "change",
          edit: (before) => {
            const layer = findLayer(before, id);
            const isThere = layer?.kind === "picture" && layer.source === from;
            return isThere ? changeLayer(before, id, { source: to }) : before;
          },
        }),
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
      undo: () => startTravel(() => dispatch({ type: "undo" })),
      redo: () => startTravel(() => dispatch({ type: "redo" })),
      replace: (next) => dispatch({ type: "replace", scene: next }),
    }),
    [],
  );
  const onSide = scene[side].some((layer) => layer.id === state.selected);
  return {
    state,
    selected: onSide ? findLayer(scene, state.selected) : undefined,
    isTravelling,
    actions,
  };
}
