import { expect, test } from "vitest";
import { stripePaymentUrl } from "./vendor-links";

test("a payment in test mode has its page among those in test mode", () => {
  expect(stripePaymentUrl("pi_1", "pk_test_x")).toBe(
    "https://dashboard.stripe.com/test/payments/pi_1",
  );
  expect(stripePaymentUrl("pi/1", "pk_live_x")).toBe(
    "https://dashboard.stripe.com/payments/pi%2F1",
  );
});
