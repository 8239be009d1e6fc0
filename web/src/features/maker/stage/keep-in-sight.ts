/**
 * On a phone the shirt stays above the panels while these are scrolled, below the shop's header. The screen's keyboard takes a part of
 * what is seen, and may move that part down the page: the shirt follows, and leaves room for the field that is written in.
 */
const HEADER = 68;
/** Of what is seen below the header. */
const SHARE = 0.48;
const LEAST = 140;
/** The stage's height by its width (print-area.ts). */
const RATIO = 268 / 260;
/** Where the panels stand beside the shirt. */
const WIDE = "(min-width: 64rem)";

/** A ref of the place that the shirt stands in. */
export function keepInSight(place: HTMLElement | null) {
  const seen = window.visualViewport;
  const root = document.documentElement;
  if (!place || !seen) return undefined;
  const wide = window.matchMedia(WIDE);

  function follow() {
    // pinched, the page is looked at through a window: it stays as it is
    if (!place || !seen || seen.scale > 1.01) return;
    const top = Math.max(HEADER, seen.offsetTop);
    const height = Math.max(LEAST, (seen.offsetTop + seen.height - top) * SHARE);
    place.style.setProperty("--stage-top", `${top}px`);
    place.style.setProperty("--stage-width", `${Math.round(height / RATIO)}px`);
    // what the focus reaches is not to lie under the shirt
    const covered = Math.min(height, place.clientWidth * RATIO) + top + 16;
    root.style.scrollPaddingTop = wide.matches ? "" : `${Math.round(covered)}px`;
  }

  follow();
  seen.addEventListener("resize", follow);
  seen.addEventListener("scroll", follow);
  wide.addEventListener("change", follow);
  return () => {
    seen.removeEventListener("resize", follow);
    seen.removeEventListener("scroll", follow);
    wide.removeEventListener("change", follow);
    root.style.scrollPaddingTop = "";
  };
}
