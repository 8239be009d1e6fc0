import { expect, test } from "vitest";
import { initialState, nextState, shouldStart, type WizardState } from "./wizard-state";

const waiting: WizardState = {
  step: 2,
  image: null,
  loading: false,
  error: null,
  retryAt: null,
  elapsed: 0,
};
const LATER = new Date("2026-11-22T10:00:00Z");

test("submitting the form enters step 2, which starts by itself", () => {
  const state = nextState(initialState, { type: "submitted" });
  expect(state).toEqual(waiting);
  expect(shouldStart(state)).toBe(true);
});

test("it starts once: not while loading, not after a failure, not at the form", () => {
  expect(shouldStart(nextState(waiting, { type: "started" }))).toBe(false);
  expect(shouldStart(nextState(waiting, { type: "failed", message: "busy", retryAt: null }))).toBe(
    false,
  );
  expect(shouldStart(initialState)).toBe(false);
});

test("a picture leads to step 3", () => {
  const loading = nextState(waiting, { type: "started" });
  expect(nextState(loading, { type: "generated", image: "png" })).toEqual({
    step: 3,
    image: "png",
    loading: false,
    error: null,
    retryAt: null,
    elapsed: 0,
  });
});

test("a failure stays on step 2 until it is tried again or the form is wanted back", () => {
  const failed = nextState(nextState(waiting, { type: "started" }), {
    type: "failed",
    message: "busy",
    retryAt: LATER,
  });
  expect(failed).toEqual({ ...waiting, error: "busy", retryAt: LATER });
  expect(nextState(failed, { type: "retried" })).toEqual(waiting);
  expect(nextState(failed, { type: "left" })).toEqual(initialState);
});

test("starting over forgets the picture", () => {
  expect(nextState({ ...waiting, step: 3, image: "png" }, { type: "left" })).toEqual(initialState);
});

test("a picture that comes after the visitor left is not shown", () => {
  expect(nextState(initialState, { type: "generated", image: "late" })).toEqual(initialState);
});
