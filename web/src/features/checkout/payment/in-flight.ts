/**
 * Stores the payment under way across a reload of the tab. A shopper who was charged while the page was reloading sees
 * the confirmation and cannot pay for the same shirts twice by mistake.
 */
import * as z from "zod/mini";
import { clearDraft, readDraft, writeDraft } from "@/lib/drafts/text-drafts";

const NAME = "checkout-payment";

const schema = z.object({ designId: z.string(), clientSecret: z.string(), orderId: z.string() });

export type InFlight = z.infer<typeof schema>;

export function saveInFlight(owner: string, payment: InFlight): void {
  writeDraft(owner, NAME, payment);
}

export function forgetInFlight(owner: string): void {
  clearDraft(owner, NAME);
}

/** Only for the design that it pays for. */
export function readInFlight(owner: string, designId: string): InFlight | undefined {
  const payment = readDraft(owner, NAME, (value) => z.safeParse(schema, value).data);
  return payment?.designId === designId ? payment : undefined;
}
