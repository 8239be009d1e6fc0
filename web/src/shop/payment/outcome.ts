/** What a shopper reads when a payment has ended, in checkout and on the order's own page. */
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { PaymentFailed } from "./run-checkout";

const FALLBACK = "There was an error processing your payment. Please try again.";

/** `handedOver` is false when the payment is in but a later step failed. */
export function tellPaid(handedOver: boolean): void {
  if (handedOver) {
    notify("Payment Successful!", "Your order has been placed successfully.");
  } else {
    notifyProblem(
      "Order Processing Notice",
      "Your payment was successful, but there was an issue with order processing. Our team will contact you shortly.",
    );
  }
}

/** The sentence that was shown: it stays at the card, where a toast goes. */
export function tellFailure(error: unknown): string {
  const message = error instanceof PaymentFailed ? error.message : errorMessage(error, FALLBACK);
  notifyProblem("Payment Failed", message || FALLBACK);
  return message || FALLBACK;
}
