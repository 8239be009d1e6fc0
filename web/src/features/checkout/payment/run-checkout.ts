/**
 * The checkout, step by step: place the order, confirm the card, note the payment, hand the order to the
 * printer, send the confirmation. Up to the card everything may be tried again. From the moment it is charged
 * nothing may look like a failed payment: what is left undone the server finishes by itself.
 */

/** What Stripe says about confirming a payment, as far as the flow needs it. */
export interface CardAnswer {
  paid: boolean;
  message?: string | undefined;
}

export interface CheckoutSteps {
  placeOrder: () => Promise<{ client_secret: string; order_id: string }>;
  confirmCard: (clientSecret: string) => Promise<CardAnswer>;
  markPaid: (orderId: string) => Promise<void>;
  sendToPrint: (orderId: string) => Promise<void>;
  sendConfirmation: (orderId: string) => Promise<void>;
}

export interface CheckoutResult {
  orderId: string;
  /** False when the payment is in but a later step failed. */
  handedOver: boolean;
}

export class PaymentFailed extends Error {
  override name = "PaymentFailed";
}

export async function runCheckout(steps: CheckoutSteps): Promise<CheckoutResult> {
  const { client_secret, order_id: orderId } = await steps.placeOrder();
  const answer = await steps.confirmCard(client_secret);
  if (!answer.paid) throw new PaymentFailed(answer.message ?? "");
  return finishPaid(orderId, steps);
}

/** What comes after the card was charged, whether a moment ago or before the page was loaded anew. */
export async function finishPaid(
  orderId: string,
  steps: Pick<CheckoutSteps, "markPaid" | "sendToPrint" | "sendConfirmation">,
): Promise<CheckoutResult> {
  const handedOver = await succeeds(async () => {
    await steps.markPaid(orderId);
    await steps.sendToPrint(orderId);
  });
  await succeeds(() => steps.sendConfirmation(orderId));
  return { orderId, handedOver };
}

async function succeeds(step: () => Promise<void>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    console.warn("The order is paid; a step after the payment failed:", error);
    return false;
  }
}
