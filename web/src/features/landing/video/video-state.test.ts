import { expect, test } from "vitest";
import { AT_REST, nextState, overlayShown, spokenState } from "./video-state";

test("it starts muted, and the overlay stays while it plays without sound", () => {
  const playing = nextState(AT_REST, { type: "played" });
  expect(playing).toEqual({ playing: true, muted: true, controls: false, failed: false });
  expect(overlayShown(AT_REST)).toBe(true);
  expect(overlayShown(playing)).toBe(true);
  expect(spokenState(playing)).toBe("Video is playing and muted");
});

test("choosing to watch plays it with sound and the browser's controls, without the overlay", () => {
  const watched = nextState(AT_REST, { type: "chosen" });
  expect(watched).toEqual({ playing: true, muted: false, controls: true, failed: false });
  expect(overlayShown(watched)).toBe(false);
  expect(spokenState(watched)).toBe("Video is playing and unmuted");
});

test("pausing brings the overlay back, and the controls stay", () => {
  const paused = nextState(nextState(AT_REST, { type: "chosen" }), { type: "paused" });
  expect(overlayShown(paused)).toBe(true);
  expect(paused.controls).toBe(true);
  expect(spokenState(paused)).toBe("Video is paused and unmuted");
});

test("muting again brings the overlay back", () => {
  const muted = nextState(nextState(AT_REST, { type: "chosen" }), { type: "volume", muted: true });
  expect(overlayShown(muted)).toBe(true);
});

test("a film that cannot be loaded offers nothing to play", () => {
  expect(overlayShown(nextState(AT_REST, { type: "failed" }))).toBe(false);
});
