import { formatDate, formatPrice } from "@/lib/format";
import { policies } from "@/shop/owner-settings";
import type { TrackedOrder } from "./api/get-order-status";

/** Notices beside the stages: refunds and delays. */
export function Notices({ order }: { order: TrackedOrder }) {
  const texts = [problem(order), refund(order)].filter((text) => text !== null);
  if (texts.length === 0) return null;
  return (
    <div className="mb-8 flex flex-col gap-3">
      {texts.map((text) => (
        <p key={text} className="rounded-card border border-line-strong bg-sunk px-5 py-4">
          {text}
        </p>
      ))}
    </div>
  );
}

function problem(order: TrackedOrder): string | null {
  if (!order.has_problem) return null;
  return "Printing takes a little longer: something holds it up, and one of us is looking into it. Your payment is safe; if we cannot print your shirts, you get your money back.";
}

function refund(order: TrackedOrder): string | null {
  if (order.refunded_cents === 0) {
    return order.status === "cancelled" && order.steps.paid
      ? `We return ${formatPrice(order.total_cents / 100)} to your card. That takes ${policies.refund_time}.`
      : null;
  }
  const amount = formatPrice(order.refunded_cents / 100);
  const when = order.refunded_at ? ` on ${formatDate(order.refunded_at)}` : "";
  return `We returned ${amount} to your card${when}. Banks take ${policies.refund_time} to show it.`;
}
