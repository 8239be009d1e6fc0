/**
 * Stripe.js, fetched only by the order page. In production the package loads it from js.stripe.com; elsewhere
 * STRIPE_JS_URL names a script that defines `window.Stripe`, and the package uses what it finds there.
 */
import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { getEnv } from "@/lib/env";

let stripe: Promise<Stripe | null> | undefined;

async function load(): Promise<Stripe | null> {
  const env = getEnv();
  if (new URL(env.STRIPE_JS_URL).hostname !== "js.stripe.com") await addScript(env.STRIPE_JS_URL);
  return loadStripe(env.STRIPE_PUBLISHABLE_KEY);
}

function addScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`The payment script could not be loaded from ${source}`));
    };
    document.head.append(script);
  });
}

export function getStripe(): Promise<Stripe | null> {
  stripe ??= load().catch((error: unknown) => {
    // The next visit to the page tries again.
    stripe = undefined;
    throw error;
  });
  return stripe;
}
