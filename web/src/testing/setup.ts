/** Browser APIs that jsdom lacks and that Radix or the pages need. */
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { clearNotices } from "@/lib/errors/notify";
import { withoutRealtime } from "./realtime";

// The first test of a file loads the clients as well; a busy machine takes its time.
configure({ asyncUtilTimeout: 25_000 });

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver ??= NoObserver;
globalThis.IntersectionObserver ??= NoObserver as unknown as typeof IntersectionObserver;
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }) as unknown as MediaQueryList;
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;
window.scrollTo = () => {};

/** jsdom neither loads nor fails a picture: here every one fails, at once. */
class NoPicture {
  onerror: (() => void) | null = null;
  set src(_source: string) {
    queueMicrotask(() => this.onerror?.());
  }
}

globalThis.Image = NoPicture as unknown as typeof Image;

const ENV = {
  SUPABASE_URL: "http://shop.test",
  SUPABASE_KEY: "sb_publishable_test",
  STRIPE_PUBLISHABLE_KEY: "pk_test",
  MOCKUP_BASE_URL: "http://mockups.test",
};

beforeEach(() => {
  withoutRealtime();
  const block = document.createElement("script");
  block.type = "application/json";
  block.id = "teesmith-env";
  block.textContent = JSON.stringify(ENV);
  document.head.append(block);
});

afterEach(() => {
  cleanup();
  // What is still shown would be shown to the next test's page too.
  clearNotices();
  document.head.querySelector("#teesmith-env")?.remove();
  localStorage.clear();
});

// Before a test the runner does so itself, but not before what the next file does outside of one.
afterAll(() => {
  vi.unstubAllGlobals();
});
