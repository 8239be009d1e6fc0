import { useEffect, useState } from "react";
import { getEnv } from "@/lib/env";
import { type TimeLeft, timeLeft } from "./countdown";

/** Refreshed every second. Undefined on the prerendered page, where neither the date nor the time is known. */
export function useTimeLeft(): TimeLeft | null | undefined {
  const [left, setLeft] = useState<TimeLeft | null>();
  useEffect(() => {
    const { PROMO_ENDS_AT } = getEnv();
    const tick = () => {
      const next = timeLeft(PROMO_ENDS_AT, Date.now());
      setLeft(next);
      if (!next) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    tick();
    return () => clearInterval(timer);
  }, []);
  return left;
}
