/** The states of the tutorial's player, and the events between them. */

export interface VideoState {
  playing: boolean;
  muted: boolean;
  /** The browser's own controls, once the visitor has started the video. */
  controls: boolean;
  failed: boolean;
}

export type VideoEvent =
  | { type: "played" }
  | { type: "paused" }
  | { type: "volume"; muted: boolean }
  | { type: "chosen" }
  | { type: "failed" };

export const AT_REST: VideoState = { playing: false, muted: true, controls: false, failed: false };

export function nextState(state: VideoState, event: VideoEvent): VideoState {
  switch (event.type) {
    case "played":
      return { ...state, playing: true };
    case "paused":
      return { ...state, playing: false };
    case "volume":
      return { ...state, muted: event.muted };
    case "chosen":
      return { ...state, playing: true, muted: false, controls: true };
    case "failed":
      return { ...AT_REST, failed: true };
  }
}

export function overlayShown({ playing, muted, failed }: VideoState): boolean {
  return !failed && (!playing || muted);
}

/** For those who hear the page. */
export function spokenState({ playing, muted }: VideoState): string {
  return `Video is ${playing ? "playing" : "paused"} and ${muted ? "muted" : "unmuted"}`;
}
