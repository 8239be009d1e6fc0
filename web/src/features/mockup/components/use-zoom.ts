/** How much a picture is enlarged: by keys and buttons, by two fingers, and by the wheel with Ctrl, as touchpads pinch. */
import { useEffect, useRef, useState } from "react";

const MOST = 4;
const STEP = 1.5;

const within = (zoom: number) => Math.min(MOST, Math.max(1, zoom));

function spread([first, second]: TouchList | Touch[]): number {
  if (!first || !second) return 0;
  return Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
}

export function useZoom() {
  const [zoom, setZoom] = useState(1);
  const frame = useRef<HTMLElement>(null);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let apart = 0;
    const stop = new AbortController();
    // not passive: the page itself must not be enlarged
    const options = { passive: false, signal: stop.signal };
    element.addEventListener(
      "touchstart",
      ({ touches }) => {
        apart = spread(touches);
      },
      options,
    );
    element.addEventListener(
      "touchmove",
      (event) => {
        if (event.touches.length !== 2 || apart === 0) return;
        event.preventDefault();
        const now = spread(event.touches);
        const factor = now / apart;
        apart = now;
        setZoom((current) => within(current * factor));
      },
      options,
    );
    element.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        setZoom((current) => within(current * 2 ** (-event.deltaY / 200)));
      },
      options,
    );
    return () => stop.abort();
  }, []);

  // The middle stays where it is.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const hidden = ((zoom - 1) * element.clientWidth) / 2;
    element.scrollLeft = hidden;
    element.scrollTop = hidden;
  }, [zoom]);

  return {
    frame,
    zoom,
    zoomIn: () => setZoom((current) => within(current * STEP)),
    zoomOut: () => setZoom((current) => within(current / STEP)),
    fit: () => setZoom(1),
    mayZoomIn: zoom < MOST,
    mayZoomOut: zoom > 1,
  };
}
