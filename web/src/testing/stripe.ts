/** Enough of Stripe.js for its React bindings to mount a card field. */
import type { StripeCardElementChangeEvent } from "@stripe/stripe-js";
import { act } from "@testing-library/react";

type Change = (event: Partial<StripeCardElementChangeEvent>) => void;

const listeners = new Map<string, Change>();
const confirmations: string[] = [];
let answer: object = {};
let mounted = false;

const element = {
  mount() {
    mounted = true;
  },
  destroy() {
    mounted = false;
  },
  update() {},
  on(event: string, listener: Change) {
    listeners.set(event, listener);
    return element;
  },
  off: () => element,
  once: () => element,
};
const elements = {
  create: () => element,
  getElement: () => (mounted ? element : null),
  update() {},
};
const stripe = {
  version: "endive",
  elements: () => elements,
  createToken() {},
  createPaymentMethod() {},
  confirmCardPayment(secret: string) {
    confirmations.push(secret);
    return Promise.resolve(answer);
  },
  registerAppInfo() {},
  _registerWrapper() {},
};

/** One for all files, because the pages load Stripe.js once. `complete` is what a shopper does who fills in the card. */
export const fakeStripe = {
  script: Object.assign(() => stripe, { version: "endive" }),
  confirmations,
  /** What confirmCardPayment answers from here on. */
  answers(next: object) {
    answer = next;
    confirmations.length = 0;
  },
  isMounted: () => mounted,
  complete: () => act(() => listeners.get("change")?.({ complete: true })),
};
