import { useEffect, useState } from "react";
import { readSetting } from "@/lib/settings-block";
import { type TimeLeft, timeLeft } from "./countdown";

/** Of a page whose server names none; without a zone, it is the visitor's own time. */
const DEFAULT_END = "2025-08-01T00:00:00";

/** Refreshed every second. Undefined on the prerendered page, where neither the date nor the time is known. */
export function useTimeLeft(): TimeLeft | null | undefined {
  const [left, setLeft] = useState<TimeLeft | null>();
  useEffect(() => {
    const endsAt = readSetting("PROMO_ENDS_AT") ?? DEFAULT_END;
    const tick = () => {
      const next = timeLeft(endsAt, Date.now());
      setLeft(next);
      if (!next) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    tick();
    return () => clearInterval(timer);
  }, []);
  return left;
}
