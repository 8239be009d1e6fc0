import type { Scene } from "@/shop/scene/scene";
import { sameScene } from "../state/same-scene";
import type { Stored } from "./scene-saver";

export interface Opening {
  /** What the page begins with. */
  scene: Scene;
  stored: Stored;
  /** The scene was not stored before the page was left; stale: and the shop has a newer one. */
  unsaved: "fresh" | "stale" | null;
}

/** What the page begins with: what was not stored last time, the stored draft, or the design as it is. */
export function openingOf(
  stored: Stored,
  left: { scene: Scene; revision: number } | undefined,
  untouched: Scene,
): Opening {
  const scene = stored.scene ?? untouched;
  if (!left || sameScene(left.scene, scene)) return { scene, stored, unsaved: null };
  return {
    scene: left.scene,
    stored,
    unsaved: left.revision === stored.revision ? "fresh" : "stale",
  };
}
