import { useEffect, useState } from "react";
import { readSetting } from "@/lib/settings-block";
import { promo } from "@/shop/owner-settings";
import { type TimeLeft, timeLeft } from "./countdown";

/** Refreshed every second. Undefined on the prerendered page, where neither the date nor the time is known. */
export function useTimeLeft(): TimeLeft | null | undefined {
  const [left, setLeft] = useState<TimeLeft | null>();
  useEffect(() => {
    const endsAt = readSetting("PROMO_ENDS_AT") ?? promo.ends_at;
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
