import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useVideo } from "./use-video";

let seen: (isIntersecting: boolean) => void = () => {};
const disconnect = vi.fn();

/** A fake IntersectionObserver: the test decides when it fires. */
class Observer {
  constructor(callback: IntersectionObserverCallback) {
    seen = (isIntersecting) =>
      callback(
        [{ isIntersecting } as IntersectionObserverEntry],
        this as unknown as IntersectionObserver,
      );
  }
  observe(): void {}
  disconnect = disconnect;
}

function Player() {
  const { ref, state, source, watch, toggleSound, events } = useVideo();
  return (
    <>
      <video ref={ref} data-testid="video" src={source} {...events} />
      <output>{JSON.stringify(state)}</output>
      <button type="button" onClick={watch}>
        Watch
      </button>
      <button type="button" onClick={toggleSound}>
        Sound
      </button>
    </>
  );
}

const video = () => screen.getByTestId<HTMLVideoElement>("video");
const state = () => JSON.parse(screen.getByRole("status").textContent);

beforeEach(() => {
  disconnect.mockClear();
  vi.stubGlobal("IntersectionObserver", Observer);
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
});

test("the film is loaded when its place comes near the screen, and not before", () => {
  render(<Player />);
  act(() => seen(false));
  expect(video().getAttribute("src")).toBeNull();
  act(() => seen(true));
  expect(video().getAttribute("src")).toBe(
    "http://shop.test/storage/v1/object/public/videos/demo-video.mp4",
  );
  expect([video().autoplay, video().muted]).toEqual([true, true]);
  expect(disconnect).toHaveBeenCalledTimes(1);
});

test("it does not play by itself where motion is unwelcome", () => {
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);
  render(<Player />);
  act(() => seen(true));
  expect(video().autoplay).toBe(false);
});

test("watching begins anew, with sound and controls", () => {
  render(<Player />);
  video().currentTime = 12;
  fireEvent.click(screen.getByText("Watch"));
  expect([video().muted, video().currentTime]).toEqual([false, 0]);
  expect(state()).toEqual({ playing: true, muted: false, controls: true, failed: false });
});

test("a browser that refuses to play leaves it paused", async () => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockRejectedValue(new DOMException("no"));
  render(<Player />);
  fireEvent.click(screen.getByText("Watch"));
  await vi.waitFor(() => expect(state().playing).toBe(false));
});

test("the player's own events move the state", () => {
  render(<Player />);
  fireEvent.play(video());
  expect(state().playing).toBe(true);
  fireEvent.pause(video());
  expect(state().playing).toBe(false);
  video().muted = true;
  fireEvent.click(screen.getByText("Sound"));
  fireEvent.volumeChange(video());
  expect([video().muted, state().muted]).toEqual([false, false]);
  fireEvent.error(video());
  expect(state()).toEqual({ playing: false, muted: true, controls: false, failed: true });
});
