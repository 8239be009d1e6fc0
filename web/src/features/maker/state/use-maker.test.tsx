import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { emptyScene, type PictureLayer } from "@/shop/scene/scene";
import { useMaker } from "./use-maker";

const picture: PictureLayer = {
  ...{ id: "p", kind: "picture", source: "soft" },
  ...{ x: 0.5, y: 0.5, scale: 0.4, angle: 0 },
};

test("a mend that comes late replaces no newer picture", () => {
  const { result } = renderHook(() => useMaker({ ...emptyScene(), front: [picture] }));
  act(() => result.current.actions.swap("p", "soft", "sharp"));
  expect(result.current.state.scene.front).toEqual([{ ...picture, source: "sharp" }]);
  act(() => result.current.actions.swap("p", "soft", "cut out"));
  act(() => result.current.actions.swap("gone", "soft", "cut out"));
  expect(result.current.state.scene.front).toEqual([{ ...picture, source: "sharp" }]);
  expect(result.current.state.past).toHaveLength(1);
});

test("until an undo is drawn the maker tells that one is on its way", () => {
  const seen: boolean[] = [];
  const { result } = renderHook(() => {
    const maker = useMaker({ ...emptyScene(), front: [picture] });
    seen.push(maker.isTravelling && maker.state.past.length > 0);
    return maker;
  });
  act(() => result.current.actions.remove("p"));
  expect(seen).not.toContain(true);
  act(() => result.current.actions.undo());
  expect(seen).toContain(true);
  expect([result.current.isTravelling, result.current.state.past]).toEqual([false, []]);
});
