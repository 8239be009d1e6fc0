/** Plain words for the database's short names of flag reasons, jobs, messages and events. */
import { capitalise, formatPrice } from "@/lib/text/format";
import { FLAG_REASONS } from "@/shop/orders/flag-reasons";
import type { OrderEvent } from "../api/get-order-record";

const JOBS: Readonly<Record<string, string>> = {
  settle: "Look the payment up",
  print: "Send it to the printer",
  track: "Follow the print order",
  cancel: "Cancel the order",
  stop_print: "End the print order",
  dispute: "Follow the dispute",
  refund: "Return the payment",
};

const MESSAGES: Readonly<Record<string, string>> = {
  confirmation: "Confirmation",
  shipped: "Shipping notice",
  cancelled: "Cancellation",
  refunded: "Refund",
  problem: "Notice of a delay",
};

type Details = OrderEvent["details"];
type Sentence = string | ((details: Details) => string);

function dollars(cents: unknown): string {
  return typeof cents === "number" ? formatPrice(cents / 100) : "";
}

function colon(sentence: string, ...parts: unknown[]): string {
  const said = parts.filter((part) => typeof part === "string" && part !== "").join(" – ");
  return said ? `${sentence}: ${said}` : sentence;
}

const EVENTS: Readonly<Record<string, Sentence>> = {
  placed: (details) => colon("Order placed", dollars(details.total_cents)),
  status: (details) => colon("Status", [details.from, details.to].filter(Boolean).join(" → ")),
  payment_failed: (details) => colon("A payment failed", details.event),
  payment_closed: (details) => colon("The payment was closed", details.why),
  paid_after_cancellation: (details) => colon("Paid after it was cancelled", details.intent),
  print_ordered: (details) => colon("The printer took the order", details.printify_order_id),
  sent_to_production: (details) => colon("Released for production", details.printify_order_id),
  cancellation_requested: (details) => colon("Cancellation requested", details.reason),
  cancellation_refused: (details) => colon("Too late to cancel", details.reason),
  refund_requested: (details) => colon("Refund requested", details.reason),
  refunded: (details) => colon("Refunded", dollars(details.cents), details.refund_id),
  refund_failed: (details) => colon("A refund failed", details.refund_id),
  dispute: (details) =>
    colon(`Dispute ${plain(String(details.status))}`, dollars(details.cents), details.id),
  flagged: (details) => colon("Needs a person", reasonText(details.reason), details.details),
  flags_resolved: (details) =>
    colon("Marked as resolved", list(details.reasons).map(reasonText).join("; "), details.note),
  hold_released: (details) => colon("Released for printing", details.why),
  taken_up_again: "Retried",
  account_deleted: "The customer deleted the account",
  link_revoked: "The links in its emails were ended",
};

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function plain(name: string): string {
  return capitalise(name.replaceAll("_", " "));
}

/** "the printer does not take it" */
export function reasonText(reason: unknown): string {
  const name = String(reason);
  return FLAG_REASONS[name] ?? name.replaceAll("_", " ");
}

export function jobText(kind: string): string {
  return JOBS[kind] ?? plain(kind);
}

export function messageText(channel: string, kind: string): string {
  if (kind.startsWith("notice_")) return "Alert to the admin";
  if (channel === "automation") return `Post to your automation: ${kind}`;
  return `Email to the customer: ${MESSAGES[kind] ?? plain(kind)}`;
}

export function eventText({ kind, details }: OrderEvent): string {
  const sentence = EVENTS[kind];
  if (sentence === undefined) return plain(kind);
  return typeof sentence === "string" ? sentence : sentence(details);
}
