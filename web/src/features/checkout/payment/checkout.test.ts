import type { PaymentIntentResult } from "@stripe/stripe-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyAddress } from "@/shop/orders/shipping-address";
import { paymentData, readResult } from "@/shop/payment/confirm-card";
import { type CheckoutSteps, PaymentFailed, runCheckout } from "@/shop/payment/run-checkout";
import { paymentBody } from "../api/create-payment-intent";
import { firstProblem } from "./validate-order";

const address = {
  ...emptyAddress,
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@teesmith.example",
  phone: "6135550100",
  phone_country_code: "+1",
  country: "CA",
  region: "ON",
  address1: "111 Wellington St",
  city: "Ottawa",
  zip: "K1A 0A9",
};

function steps(changes: Partial<CheckoutSteps> = {}) {
  const done: string[] = [];
  const note = (name: string) => (id: string) => {
    done.push(`${name} ${id}`);
    return Promise.resolve();
  };
  const all: CheckoutSteps = {
    placeOrder: () => {
      done.push("placeOrder");
      return Promise.resolve({ client_secret: "secret", order_id: "o1" });
    },
    confirmCard: (secret) => {
      done.push(`confirmCard ${secret}`);
      return Promise.resolve({ paid: true });
    },
    markPaid: note("markPaid"),
    sendToPrint: note("sendToPrint"),
    sendConfirmation: note("sendConfirmation"),
    ...changes,
  };
  return { all, done };
}

const fails = () => Promise.reject(new Error("down"));

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

test("the steps run in order", async () => {
  const { all, done } = steps();
  await expect(runCheckout(all)).resolves.toEqual({ orderId: "o1", handedOver: true });
  expect(done).toEqual([
    "placeOrder",
    "confirmCard secret",
    "markPaid o1",
    "sendToPrint o1",
    "sendConfirmation o1",
  ]);
});

test("a declined card stops everything, with the card company's words", async () => {
  const { all, done } = steps({
    confirmCard: () => Promise.resolve({ paid: false, message: "Your card was declined." }),
  });
  await expect(runCheckout(all)).rejects.toEqual(new PaymentFailed("Your card was declined."));
  expect(done).toEqual(["placeOrder"]);
});

test("an order that cannot be placed charges nothing", async () => {
  const { all, done } = steps({ placeOrder: fails });
  await expect(runCheckout(all)).rejects.toThrow("down");
  expect(done).toEqual([]);
});

test.each(["markPaid", "sendToPrint"] as const)(
  "a paid order whose %s fails is still a paid order",
  async (step) => {
    const { all, done } = steps({ [step]: fails });
    await expect(runCheckout(all)).resolves.toEqual({ orderId: "o1", handedOver: false });
    expect(done).toContain("sendConfirmation o1");
  },
);

test("a confirmation mail that fails spoils nothing", async () => {
  const { all } = steps({ sendConfirmation: fails });
  await expect(runCheckout(all)).resolves.toEqual({ orderId: "o1", handedOver: true });
});

const resultOf = (value: unknown) => readResult(value as PaymentIntentResult);

test("Stripe's answers are read for what they mean", () => {
  expect(resultOf({ paymentIntent: { status: "succeeded" } })).toEqual({ paid: true });
  expect(resultOf({ paymentIntent: { status: "processing" } })).toEqual({ paid: true });
  expect(resultOf({ paymentIntent: { status: "requires_payment_method" } }).paid).toBe(false);
  expect(resultOf({ error: { message: "Your card was declined." } })).toEqual({
    paid: false,
    message: "Your card was declined.",
  });
});

test("a second confirmation of a payment that had gone through is no failure", () => {
  const error = {
    code: "payment_intent_unexpected_state",
    message: "…",
    payment_intent: { status: "succeeded" },
  };
  expect(resultOf({ error })).toEqual({ paid: true });
});

test("Stripe gets the address with the parts that are filled in", () => {
  const place = {
    line1: "111 Wellington St",
    city: "Ottawa",
    state: "ON",
    postal_code: "K1A 0A9",
    country: "CA",
  };
  const card = {} as Parameters<typeof paymentData>[0];
  expect(paymentData(card, address)).toEqual({
    payment_method: {
      card,
      billing_details: {
        name: "Ada Lovelace",
        email: "ada@teesmith.example",
        phone: "+16135550100",
        address: place,
      },
    },
    shipping: { name: "Ada Lovelace", phone: "+16135550100", address: place },
  });
});

test("the order's body carries cents, sizes and shipping to Canada", () => {
  const variant = (size: string, id: number) => ({
    id: `v${size}`,
    name: `Black - ${size}`,
    color_hex: "#000000",
    printify_variant_id: id,
    is_available: true,
  });
  const body = paymentBody({
    design: {
      id: "d1",
      name: "A fox",
      image_data: "big",
      thumbnail_data: "small",
      link_key: null,
      takedown_reason: null,
      has_back: false,
      printify_product_id: "p1",
      selected_colors: [],
      user_id: "u1",
    },
    productId: "p1",
    lines: [
      { variant: variant("M", 12_125), quantity: 1 },
      { variant: variant("XL", 12_127), quantity: 2 },
    ],
    address,
  });
  expect(body).toEqual({
    amount: 6560,
    currency: "usd",
    shipping_address: address,
    order_details: { total_quantity: 3, product_price: 19.9, shipping_cost: 5.9 },
    design_info: { id: "d1", name: "A fox", image_data: "small", printify_product_id: "p1" },
    order_items: [
      {
        id: "vM",
        name: "A fox",
        color: "Black",
        size: "M",
        printify_variant_id: 12_125,
        product_id: "p1",
        quantity: 1,
        image_url: "http://mockups.test/mockup/p1/12125/102048/mockup.jpg?s=800",
      },
      {
        id: "vXL",
        name: "A fox",
        color: "Black",
        size: "XL",
        printify_variant_id: 12_127,
        product_id: "p1",
        quantity: 2,
        image_url: "http://mockups.test/mockup/p1/12127/102048/mockup.jpg?s=800",
      },
    ],
  });
});

test("before paying: the address, then a size, then the card", () => {
  const ready = { address, quantity: 1, cardComplete: true };
  expect(firstProblem(ready)).toBeUndefined();
  expect(firstProblem({ ...ready, address: { ...address, first_name: "" }, quantity: 0 })).toEqual({
    title: "Missing Information",
    message: "Please fill in first name",
    field: "first_name",
  });
  expect(firstProblem({ ...ready, quantity: 0, cardComplete: false })).toEqual({
    title: "Size Required",
    message: "Please select a size before proceeding",
  });
  expect(firstProblem({ ...ready, cardComplete: false })).toEqual({
    title: "Card Information Required",
    message: "Please complete your card information",
  });
});
