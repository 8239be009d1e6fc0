import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionError, ServiceError } from "@/lib/errors/errors";
import { emptyScene, type Scene } from "@/shop/scene/scene";
import { openingOf } from "./opening";
import { type SaveStatus, SceneSaver } from "./scene-saver";

const sceneOf = (id: string): Scene => ({
  ...emptyScene(),
  front: [
    {
      ...{ id, kind: "shape", shape: "circle", color: "#000000", ratio: 1 },
      ...{ x: 0.5, y: 0.5, scale: 0.4, angle: 0 },
    },
  ],
});
const FIRST = sceneOf("first");

/** The shop's table with one draft; `before` runs as a request arrives, `after` as it is answered. */
class Table {
  scene: Scene | null = FIRST;
  revision = 1;
  statuses: SaveStatus["kind"][] = [];
  before: () => void = () => {};
  after: () => void = () => {};
  saver = new SceneSaver(
    {
      save: async (scene, revision) => {
        this.before();
        if (revision !== this.revision) throw new ServiceError("", "PT409", 409);
        this.scene = scene;
        this.revision++;
        this.after();
        return this.revision;
      },
      load: async () => ({ scene: this.scene, revision: this.revision }),
      isConflict: (error) => error instanceof ServiceError && error.code === "PT409",
    },
    FIRST,
    { scene: FIRST, revision: 1 },
    ({ kind }) => this.statuses.push(kind),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => vi.useRealTimers());

test("changes are stored together once the hand rests", async () => {
  const table = new Table();
  table.saver.change(sceneOf("second"));
  table.saver.change(sceneOf("third"));
  await vi.advanceTimersByTimeAsync(1000);
  expect([table.revision, table.scene, table.statuses.at(-1)]).toEqual([
    2,
    sceneOf("third"),
    "saved",
  ]);
  expect(table.saver.unsaved).toBeUndefined();
});

test("what cannot be sent is sent again until the shop has it", async () => {
  const table = new Table();
  table.before = () => {
    throw new ConnectionError();
  };
  table.saver.change(sceneOf("second"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(table.statuses.at(-1)).toBe("offline");
  expect(table.saver.unsaved).toEqual({ scene: sceneOf("second"), revision: 1 });
  table.before = () => {};
  await vi.advanceTimersByTimeAsync(6000);
  expect([table.scene, table.statuses.at(-1)]).toEqual([sceneOf("second"), "saved"]);
});

test("a draft that was stored although its answer was lost is no conflict", async () => {
  const table = new Table();
  table.after = () => {
    table.after = () => {};
    throw new ConnectionError();
  };
  table.saver.change(sceneOf("second"));
  await vi.advanceTimersByTimeAsync(7000);
  expect([table.revision, table.statuses.at(-1)]).toEqual([2, "saved"]);
  expect(await table.saver.flush()).toBe(2);
});

test.each([
  ["mine", sceneOf("second"), null],
  ["theirs", sceneOf("other"), sceneOf("other")],
] as const)("another tab's draft is written over only when told: %s", async (keep, kept, shown) => {
  const table = new Table();
  Object.assign(table, { scene: sceneOf("other"), revision: 5 });
  table.saver.change(sceneOf("second"));
  await vi.advanceTimersByTimeAsync(20_000);
  expect([table.scene, table.statuses.at(-1)]).toEqual([sceneOf("other"), "conflict"]);
  expect(await table.saver.flush()).toBeUndefined();
  expect(await table.saver.resolve(keep)).toEqual(shown);
  expect([table.scene, table.statuses.at(-1)]).toEqual([kept, "saved"]);
});

test("what the last visit had not stored is shown again, and said where the shop has a newer one", () => {
  const [stored, left] = [{ scene: FIRST, revision: 3 }, sceneOf("left")];
  const opened = (revision: number, scene = left) =>
    openingOf(stored, { scene, revision }, emptyScene());
  expect(opened(3)).toEqual({ scene: left, stored, unsaved: "fresh" });
  expect(opened(2)).toEqual({ scene: left, stored, unsaved: "stale" });
  expect(opened(2, FIRST)).toEqual({ scene: FIRST, stored, unsaved: null });
  expect(openingOf({ scene: null, revision: 0 }, undefined, left).scene).toBe(left);
});
