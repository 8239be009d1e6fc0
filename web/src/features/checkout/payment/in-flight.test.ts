import { expect, test } from "vitest";
import { forgetInFlight, isCharged, readInFlight, saveInFlight } from "./in-flight";

const PAYMENT = { designId: "d1", clientSecret: "pi_1_secret_1", orderId: "o1" };

test("a payment is remembered for its own design, until it is done", () => {
  saveInFlight(PAYMENT);
  expect(readInFlight("d1")).toEqual(PAYMENT);
  expect(readInFlight("d2")).toBeUndefined();
  forgetInFlight();
  expect(readInFlight("d1")).toBeUndefined();
});

test("what is not a payment is none", () => {
  sessionStorage.setItem("teesmith-draft:checkout-payment", '{"designId": "d1"}');
  expect(readInFlight("d1")).toBeUndefined();
});

test("only a charge that Stripe speaks of counts", () => {
  expect(isCharged("succeeded")).toBe(true);
  expect(isCharged("requires_payment_method")).toBe(false);
  expect(isCharged(undefined)).toBe(false);
});
