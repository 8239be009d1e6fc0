import { formatPrice } from "@/lib/text/format";
import { PROMO_PRICE_CENTS, REGULAR_PRICE_CENTS } from "@/shop/catalog/pricing";
import type { TimeLeft } from "./countdown";
import { useTimeLeft } from "./use-time-left";

const PARTS = [
  ["days", "d", "days"],
  ["hours", "h", "hours"],
  ["minutes", "m", "minutes"],
  ["seconds", "s", "seconds"],
] as const;

/** index.html shows its place before the first paint if the offer still runs, so that nothing jumps. */
export function PromoBanner() {
  const left = useTimeLeft();
  if (left === null) return null;
  const regular = formatPrice(REGULAR_PRICE_CENTS / 100);
  const promo = formatPrice(PROMO_PRICE_CENTS / 100);
  const saving = (REGULAR_PRICE_CENTS - PROMO_PRICE_CENTS) / 100;
  return (
    <aside
      aria-label="Limited-time offer"
      className="promo-banner sticky top-[68px] z-20 border-b-[1.5px] border-[#1b1714] bg-sunflower text-[#1b1714]"
    >
      <div className="shell flex h-12 items-center justify-between gap-3 text-sm whitespace-nowrap tabular-nums md:h-13 md:gap-6 md:text-[0.95rem]">
        <p className="flex items-center gap-2.5 md:gap-4">
          <strong className="-rotate-2 rounded-sm bg-[#1b1714] px-2 py-0.5 font-display font-extrabold tracking-tight text-[#fbf7ef]">
            25% off
          </strong>
          <span className="flex flex-col leading-tight md:flex-row md:items-baseline md:gap-4">
            <span>
              <s className="opacity-80">
                <span className="sr-only">instead of </span>
                {regular}
              </s>{" "}
              <strong className="font-display text-[1.05em] font-extrabold">{promo}</strong>
            </span>
            <span className="text-xs font-semibold md:text-[0.95rem]">save ${saving}</span>
          </span>
        </p>
        <div className="flex flex-col items-end leading-tight md:flex-1 md:flex-row-reverse md:items-center md:justify-between lg:pl-[16%]">
          <Countdown left={left} />
          <p className="text-xs md:hidden lg:block lg:text-[0.95rem]">10+ customers served</p>
        </div>
      </div>
    </aside>
  );
}

function Countdown({ left }: { left: TimeLeft | undefined }) {
  return (
    <p role="timer" aria-label="Time left" className="flex items-center gap-1.5 md:gap-3">
      <span className="hidden md:inline">Ends in</span>
      {PARTS.map(([part, short, long]) => (
        <span key={part} className="flex items-baseline gap-0.5">
          <strong className="min-w-[2ch] font-display text-[1.05em] font-extrabold">
            {left?.[part] ?? "--"}
          </strong>
          <span className="md:hidden">{short}</span>
          <span className="hidden text-sm md:inline">{long}</span>
        </span>
      ))}
    </p>
  );
}
