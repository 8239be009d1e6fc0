/**
 * The checkout, step by step: place the order, confirm the card, record the payment, submit the order to the printer,
 * send the confirmation. Every step before the charge may be retried. After the charge no failure may look like a
 * failed payment: the server finishes the remaining steps by itself.
 */

/** The part of Stripe's result that the checkout needs. */
export interface CardResult {
  paid: boolean;
  message?: string | undefined;
}

export interface CheckoutSteps {
  placeOrder: () => Promise<{ client_secret: string; order_id: string }>;
  confirmCard: (clientSecret: string) => Promise<CardResult>;
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
  const result = await steps.confirmCard(client_secret);
  if (!result.paid) throw new PaymentFailed(result.message ?? "");
  return finishPaid(orderId, steps);
}

/** The steps after the charge, also for a charge before the page was reloaded. */
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
