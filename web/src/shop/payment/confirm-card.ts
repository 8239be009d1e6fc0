/** Calls confirmCardPayment and interprets its result. */
import type {
  ConfirmCardPaymentData,
  PaymentIntent,
  PaymentIntentResult,
  Stripe,
  StripeCardElement,
} from "@stripe/stripe-js";
import { asciiEmail } from "@/lib/text/email";
import { type Address, dialledPhone } from "@/shop/orders/shipping-address";
import type { CardResult } from "./run-checkout";

const CHARGED: PaymentIntent.Status[] = ["succeeded", "processing", "requires_capture"];

export function isCharged(status: PaymentIntent.Status | undefined): boolean {
  return status !== undefined && CHARGED.includes(status);
}

export function readResult({ paymentIntent, error }: PaymentIntentResult): CardResult {
  if (!error) {
    return isCharged(paymentIntent.status)
      ? { paid: true }
      : { paid: false, message: "The card was not charged. Please try again." };
  }
  // The first attempt succeeded but its response was lost: Stripe rejects the retry and does not charge again.
  if (isCharged(error.payment_intent?.status)) return { paid: true };
  return { paid: false, message: error.message };
}

export function paymentData(card: StripeCardElement, address: Address): ConfirmCardPaymentData {
  const name = `${address.first_name} ${address.last_name}`.trim();
  const phone = dialledPhone(address);
  const place = {
    line1: address.address1,
    ...(address.address2 ? { line2: address.address2 } : {}),
    city: address.city,
    ...(address.region ? { state: address.region } : {}),
    postal_code: address.zip,
    country: address.country,
  };
  return {
    payment_method: {
      card,
      billing_details: { name, email: asciiEmail(address.email), phone, address: place },
    },
    shipping: { name, phone, address: place },
  };
}

export async function confirmCard(
  stripe: Stripe,
  card: StripeCardElement,
  clientSecret: string,
  address: Address,
): Promise<CardResult> {
  return readResult(await stripe.confirmCardPayment(clientSecret, paymentData(card, address)));
}
