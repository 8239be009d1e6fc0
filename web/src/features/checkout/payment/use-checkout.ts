/** Runs the checkout for the page: one at a time, the same order again when only the card was refused. */
import { CardElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorMessage } from "@/lib/errors";
import { clearNotices, notify, notifyProblem } from "@/lib/notify";
import {
  createPaymentIntent,
  type OrderDraft,
  type PaymentIntent,
  paymentBody,
} from "../api/create-payment-intent";
import { createPrintifyOrder } from "../api/create-printify-order";
import { sendOrderWebhook } from "../api/send-order-webhook";
import { markOrderPaid } from "../api/update-order-status";
import { confirmCard } from "./confirm-card";
import { PaymentFailed, runCheckout } from "./run-checkout";

const FALLBACK = "There was an error processing your payment. Please try again.";

export function useCheckout() {
  const stripe = useStripe();
  const elements = useElements();
  const client = useQueryClient();
  const [processing, setProcessing] = useState(false);
  const busy = useRef(false);
  const placed = useRef<{ body: string; intent: PaymentIntent }>(undefined);

  /** The order already placed for exactly this cart and address, else a new one. */
  async function placeOrder(draft: OrderDraft): Promise<PaymentIntent> {
    const body = paymentBody(draft);
    const text = JSON.stringify(body);
    if (placed.current?.body !== text)
      placed.current = { body: text, intent: await createPaymentIntent(body) };
    return placed.current.intent;
  }

  async function pay(draft: OrderDraft): Promise<string | undefined> {
    const card = elements?.getElement(CardElement);
    if (!stripe || !card) throw new PaymentFailed("Card element not found");
    const { orderId, handedOver } = await runCheckout({
      placeOrder: () => placeOrder(draft),
      confirmCard: (secret) => confirmCard(stripe, card, secret, draft.address),
      markPaid: markOrderPaid,
      sendToPrint: (id) => createPrintifyOrder(id, draft),
      sendConfirmation: sendOrderWebhook,
    });
    placed.current = undefined;
    if (handedOver) {
      notify("Payment Successful!", "Your order has been placed successfully.");
    } else {
      notifyProblem(
        "Order Processing Notice",
        "Your payment was successful, but there was an issue with order processing. Our team will contact you shortly.",
      );
    }
    return orderId;
  }

  return {
    ready: stripe !== null,
    processing,
    /** The id of the paid order, or undefined when nothing was charged (and the visitor has been told). */
    async checkOut(draft: OrderDraft): Promise<string | undefined> {
      if (busy.current) return undefined;
      busy.current = true;
      clearNotices();
      setProcessing(true);
      try {
        return await pay(draft);
      } catch (error) {
        const message =
          error instanceof PaymentFailed ? error.message : errorMessage(error, FALLBACK);
        notifyProblem("Payment Failed", message || FALLBACK);
        return undefined;
      } finally {
        busy.current = false;
        setProcessing(false);
        void client.invalidateQueries({ queryKey: ["orders"] });
      }
    },
  };
}
