/** Whether a time has come; looks again every second until it has, because timers stand still while a computer sleeps. */
import { useEffect, useState } from "react";

const LOOK_MS = 1000;

export function useHasPassed(time: Date | null): boolean {
  const at = time?.getTime() ?? 0;
  const [passed, setPassed] = useState(0);
  const waiting = passed < at;

  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => {
      if (Date.now() >= at) setPassed(at);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [waiting, at]);

  return !waiting;
}
