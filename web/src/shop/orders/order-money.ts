/** What a shopper reads about an order's money: what a bank asks, what goes back, and what has gone back. */
import { formatDate, formatPrice } from "@/lib/text/format";
import { policies } from "@/shop/owner-settings";

export interface OrderMoney {
  status: string;
  wasPaid: boolean;
  totalCents: number;
  /** By refunds and by a bank that decided against us. */
  refundedCents: number;
  /** The bank's part of it. */
  lostCents: number;
  refundedAt: string | null;
  /** A bank has to decide about the payment. */
  isHeld: boolean;
}

export const HAS_PROBLEM =
  "Printing takes a little longer: something holds it up, and one of us is looking into it. Your payment is safe; if we cannot print your shirts, you get your money back.";

export function moneyTexts(order: OrderMoney): string[] {
  return [held(order), lost(order), returned(order), owed(order)].filter((text) => text !== null);
}

function held({ isHeld, status }: OrderMoney): string | null {
  if (!isHeld) return null;
  const asked = "Your bank has asked about this payment.";
  if (status === "cancelled") return `${asked} Your money comes back once that is settled.`;
  return status === "paid" || status === "processing"
    ? `${asked} Until that is settled your order waits; only what is in production already goes on.`
    : `${asked} Until that is settled we can return nothing.`;
}

function lost({ lostCents }: OrderMoney): string | null {
  return lostCents > 0 ? `Your bank has returned ${dollars(lostCents)} to you.` : null;
}

function returned({ refundedCents, lostCents, refundedAt }: OrderMoney): string | null {
  const ours = refundedCents - lostCents;
  if (ours === 0) return null;
  const when = refundedAt && lostCents === 0 ? ` on ${formatDate(refundedAt)}` : "";
  return `We returned ${dollars(ours)} to your card${when}. Banks take ${policies.refund_time} to show it.`;
}

function owed({ status, wasPaid, isHeld, totalCents, refundedCents }: OrderMoney): string | null {
  const left = totalCents - refundedCents;
  return status === "cancelled" && wasPaid && !isHeld && left > 0
    ? `We return ${dollars(left)} to your card. That takes ${policies.refund_time}.`
    : null;
}

function dollars(cents: number): string {
  return formatPrice(cents / 100);
}
