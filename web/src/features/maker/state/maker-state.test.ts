import { expect, test } from "vitest";
import { emptyScene, type ShapeLayer } from "@/shop/scene/scene";
import { addLayer, changeLayer, duplicateLayer, removeLayer, reorderLayer } from "./edits";
import { beginMaker, type MakerAction, reduceMaker } from "./maker-state";

const layer = (id: string): ShapeLayer => ({
  ...{ id, kind: "shape", shape: "circle", color: "#000000", ratio: 1 },
  ...{ x: 0.5, y: 0.5, scale: 0.4, angle: 0 },
});
const start = beginMaker({ ...emptyScene(), front: [layer("a"), layer("b")] });
const run = (...actions: MakerAction[]) => actions.reduce(reduceMaker, start);
const move = (x: number, name?: string): MakerAction => ({
  type: "change",
  edit: (scene) => changeLayer(scene, "a", { x }),
  ...(name && { name }),
});
const back: MakerAction = {
  type: "change",
  edit: (scene, side) => addLayer(scene, side, layer("c")),
  selected: "c",
};

test("a gesture is one step to undo, and the next one another", () => {
  const moved = run(move(0.1, "drag"), move(0.2, "drag"), { type: "settle" }, move(0.3, "drag"));
  expect(moved.scene.front[0]?.x).toBe(0.3);
  const once = reduceMaker(moved, { type: "undo" });
  expect(once.scene.front[0]?.x).toBe(0.2);
  expect(reduceMaker(once, { type: "undo" }).scene).toBe(start.scene);
  expect(reduceMaker(once, { type: "redo" }).scene).toBe(moved.scene);
});

test("undo shows the side on which something changes", () => {
  const shown = run({ type: "turn", side: "back" }, back, { type: "turn", side: "front" });
  const undone = reduceMaker(shown, { type: "undo" });
  expect([undone.side, undone.selected, undone.scene]).toEqual(["back", null, start.scene]);
});

test("what changes nothing is no step", () => {
  const still = run({ type: "change", edit: (scene) => reorderLayer(scene, "b", 1) });
  expect(still.past).toEqual([]);
});

test("layers are copied above themselves, put in another order and removed", () => {
  const copied = duplicateLayer(start.scene, "a", "copy");
  expect(copied.front.map(({ id }) => id)).toEqual(["a", "copy", "b"]);
  expect(reorderLayer(copied, "b", -1).front.map(({ id }) => id)).toEqual(["a", "b", "copy"]);
  expect(removeLayer(copied, "a").front.map(({ id }) => id)).toEqual(["copy", "b"]);
  expect(changeLayer(copied, "b", { locked: undefined }).front[2]).toEqual(layer("b"));
});
