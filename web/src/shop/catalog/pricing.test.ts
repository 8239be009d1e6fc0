import { expect, test } from "vitest";
import { deliveryEstimate, quote, SECOND_SIDE_CENTS, shippingCents } from "./pricing";

test("shirts are $19.90 each and ship free within the US", () => {
  expect(quote(2, "US")).toEqual({
    quantity: 2,
    subtotalCents: 3980,
    shippingCents: 0,
    totalCents: 3980,
  });
});

test("the second side costs what the owner asks for it", () => {
  expect(quote(2, "US", true).totalCents).toBe(3980 + 2 * SECOND_SIDE_CENTS);
});

test("anywhere else shipping is $5.90 flat, however many shirts", () => {
  expect(quote(1, "CA").totalCents).toBe(2580);
  expect(quote(10, "DE").totalCents).toBe(20_490);
  expect(shippingCents("")).toBe(590);
});

test("totals are whole cents for every quantity that can be ordered", () => {
  for (let quantity = 1; quantity <= 80; quantity++) {
    expect(Number.isInteger(quote(quantity, "CA").totalCents)).toBe(true);
  }
});

test("the delivery estimate follows the country", () => {
  expect(deliveryEstimate("US")).toBe("3-7 business days");
  expect(deliveryEstimate("FR")).toBe("10-30 business days");
});
