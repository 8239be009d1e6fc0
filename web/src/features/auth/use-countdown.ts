import { useEffect, useState } from "react";

/** Whole seconds left; it counts by the clock, so a tab that slept is right again at once. */
export function useCountdown(initialSeconds: number) {
  const [ends, setEnds] = useState(() => Date.now() + initialSeconds * 1000);
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((ends - now) / 1000));
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  return {
    left,
    restart(seconds: number) {
      setNow(Date.now());
      setEnds(Date.now() + seconds * 1000);
    },
  };
}
