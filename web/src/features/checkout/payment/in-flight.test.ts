import { expect, test } from "vitest";
import { writeDraft } from "@/lib/drafts/text-drafts";
import { isCharged } from "@/shop/payment/confirm-card";
import { forgetInFlight, readInFlight, saveInFlight } from "./in-flight";

const PAYMENT = { designId: "d1", clientSecret: "pi_1_secret_1", orderId: "o1" };

test("a payment is remembered for its own design, until it is done", () => {
  saveInFlight("ada", PAYMENT);
  expect(readInFlight("ada", "d1")).toEqual(PAYMENT);
  expect(readInFlight("ada", "d2")).toBeUndefined();
  forgetInFlight("ada");
  expect(readInFlight("ada", "d1")).toBeUndefined();
});

test("what is not a payment is none", () => {
  writeDraft("ada", "checkout-payment", { designId: "d1" });
  expect(readInFlight("ada", "d1")).toBeUndefined();
});

test("only a charge that Stripe speaks of counts", () => {
  expect(isCharged("succeeded")).toBe(true);
  expect(isCharged("requires_payment_method")).toBe(false);
  expect(isCharged(undefined)).toBe(false);
});
