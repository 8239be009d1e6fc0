/**
 * What the maker shows: the scene with what came before and after it, the side in view and the selected layer. Scenes are
 * values that share their unchanged layers, so that a step of the history costs what it changed.
 */
import type { Scene, Side } from "@/shop/scene/scene";
import { findLayer, sideOf } from "./edits";

const MOST_STEPS = 200;

export interface MakerState {
  past: readonly Scene[];
  scene: Scene;
  future: readonly Scene[];
  side: Side;
  selected: string | null;
  /** The change that is going on: what follows under the same name belongs to the same step. */
  running: string | null;
}

/** Gives the scene as it was where it changes nothing. */
type Edit = (scene: Scene, side: Side) => Scene;

export type MakerAction =
  /** `name`: changes that follow each other under one name are undone together. */
  | { type: "change"; edit: Edit; selected?: string | null; name?: string }
  /** The running change is whole: the next one under its name is a step of its own. */
  | { type: "settle" }
  | { type: "undo" }
  | { type: "redo" }
  | { type: "select"; id: string | null }
  | { type: "turn"; side: Side }
  /** Another scene altogether, as another tab or an earlier version has it: nothing leads back beyond. */
  | { type: "replace"; scene: Scene };

export function beginMaker(scene: Scene): MakerState {
  const side = scene.front.length === 0 && scene.back.length > 0 ? "back" : "front";
  return { past: [], scene, future: [], side, selected: null, running: null };
}

export function reduceMaker(state: MakerState, action: MakerAction): MakerState {
  switch (action.type) {
    case "change":
      return change(state, action);
    case "settle":
      return { ...state, running: null };
    case "undo":
      return travel(state, state.past.at(-1), {
        past: state.past.slice(0, -1),
        future: [state.scene, ...state.future],
      });
    case "redo":
      return travel(state, state.future[0], {
        past: [...state.past, state.scene],
        future: state.future.slice(1),
      });
    case "select":
      return { ...state, selected: action.id, running: null };
    case "turn":
      return { ...state, side: action.side, selected: null, running: null };
    case "replace":
      return { ...beginMaker(action.scene), side: state.side };
  }
}

function change(
  state: MakerState,
  { edit, selected = state.selected, name }: Extract<MakerAction, { type: "change" }>,
): MakerState {
  const scene = edit(state.scene, state.side);
  if (scene === state.scene) return { ...state, selected };
  const goesOn = name !== undefined && name === state.running;
  return {
    ...state,
    past: goesOn ? state.past : [...state.past, state.scene].slice(-MOST_STEPS),
    scene,
    future: [],
    selected,
    running: name ?? null,
  };
}

/** To another scene of the history. What changed comes into view. */
function travel(
  state: MakerState,
  scene: Scene | undefined,
  history: Pick<MakerState, "past" | "future">,
): MakerState {
  if (!scene) return state;
  const other = state.side === "front" ? "back" : "front";
  const elsewhere = scene[state.side] === state.scene[state.side];
  const side = elsewhere ? other : state.side;
  const remains = state.selected !== null && sideOf(scene, state.selected) === side;
  return {
    ...state,
    ...history,
    scene,
    side,
    selected: remains && findLayer(scene, state.selected) ? state.selected : null,
    running: null,
  };
}
