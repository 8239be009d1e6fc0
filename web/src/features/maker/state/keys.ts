/** What the keyboard does to the selected layer. */
import { clampPlace, type Place } from "../stage/gestures";

const STEP = 0.01;
const LARGE_STEP = 0.05;
const GROWTH = 1.05;
const TURN = 5;

interface Press {
  key: string;
  shiftKey: boolean;
}

/** The layer's new place; undefined where the key moves nothing. */
export function placeByKey(place: Place, { key, shiftKey }: Press): Place | undefined {
  const step = shiftKey ? LARGE_STEP : STEP;
  const moves: Record<string, Partial<Place>> = {
    ArrowLeft: { x: place.x - step },
    ArrowRight: { x: place.x + step },
    ArrowUp: { y: place.y - step },
    ArrowDown: { y: place.y + step },
    "+": { scale: place.scale * GROWTH },
    "=": { scale: place.scale * GROWTH },
    "-": { scale: place.scale / GROWTH },
    _: { scale: place.scale / GROWTH },
    "[": { angle: place.angle - TURN },
    "]": { angle: place.angle + TURN },
  };
  const move = moves[key];
  return move && clampPlace({ ...place, ...move });
}
