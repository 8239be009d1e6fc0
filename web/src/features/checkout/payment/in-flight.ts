/**
 * Stores the payment under way across a reload of the tab. A shopper who was charged while the page was reloading sees
 * the confirmation and cannot pay for the same shirts twice by mistake.
 */
import type { PaymentIntent } from "@stripe/stripe-js";
import * as z from "zod/mini";
import { clearDraft, readDraft, writeDraft } from "@/lib/session-draft";

const NAME = "checkout-payment";
const CHARGED: PaymentIntent.Status[] = ["succeeded", "processing", "requires_capture"];

const schema = z.object({ designId: z.string(), clientSecret: z.string(), orderId: z.string() });

export type InFlight = z.infer<typeof schema>;

export function saveInFlight(payment: InFlight): void {
  writeDraft(NAME, payment);
}

export function forgetInFlight(): void {
  clearDraft(NAME);
}

/** Only for the design that it pays for. */
export function readInFlight(designId: string): InFlight | undefined {
  const payment = readDraft(NAME, (value) => z.safeParse(schema, value).data);
  return payment?.designId === designId ? payment : undefined;
}

export function isCharged(status: PaymentIntent.Status | undefined): boolean {
  return status !== undefined && CHARGED.includes(status);
}
