import { Check } from "lucide-react";
import { cn } from "@/lib/text/cn";
import { formatDate } from "@/lib/text/format";
import { timeline } from "@/shop/orders/order-timeline";

interface OrderTimelineProps {
  status: string;
  wasPaid: boolean;
  /** When the order came to each stage, by status. */
  dates?: Readonly<Record<string, string | null>>;
}

export function OrderTimeline({ status, wasPaid, dates = {} }: OrderTimelineProps) {
  const cancelled = status === "cancelled";
  return (
    <ol aria-label="Order progress" className="flex flex-col gap-5 md:flex-row md:gap-0">
      {timeline(status, wasPaid).map(({ status: stage, title, text, state }) => (
        <li
          key={title}
          aria-current={state === "current" ? "step" : undefined}
          className="group relative flex gap-4 md:flex-1 md:flex-col md:gap-3 md:pr-5"
        >
          {/* The line to the next stage, as far as there is one. */}
          <span
            aria-hidden="true"
            className={cn(
              "absolute top-8 -bottom-5 left-[calc(1rem-1px)] w-0.5 group-last:hidden md:inset-x-8 md:top-[calc(1rem-1px)] md:bottom-auto md:h-0.5 md:w-auto md:left-8 md:right-0",
              state === "done" ? "bg-mint" : "bg-line",
            )}
          />
          <span
            aria-hidden="true"
            className={cn(
              "relative grid size-8 shrink-0 place-items-center rounded-full border-2 text-[#1b1714]",
              state === "done" && "border-mint bg-mint",
              state === "current" &&
                (cancelled ? "border-tomato bg-tomato" : "border-sunflower bg-sunflower"),
              state === "ahead" && "border-line bg-raised",
            )}
          >
            {state === "done" || (state === "current" && status === "delivered") ? (
              <Check className="size-4.5" strokeWidth={3} />
            ) : null}
          </span>
          <p className={cn(state === "ahead" && "text-ink-soft")}>
            <strong className={cn("block leading-snug", state === "ahead" && "font-medium")}>
              {title}
            </strong>
            {state === "ahead" ? null : (
              <span className="text-sm text-ink-soft">
                {text}
                {dates[stage] ? <span className="block">{formatDate(dates[stage])}</span> : null}
              </span>
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}
