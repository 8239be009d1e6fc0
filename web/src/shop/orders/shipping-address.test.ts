import { expect, test } from "vitest";
import { addressLines, dialledPhone, emptyAddress } from "./shipping-address";

test("an order's address reads like a label", () => {
  const json = JSON.stringify({
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@teesmith.example",
    phone_country_code: "+1",
    phone: "6135550100",
    country: "CA",
    region: "ON",
    address1: "111 Wellington St",
    address2: null,
    city: "Ottawa",
    zip: "K1A 0A9",
  });
  expect(addressLines(json)).toEqual([
    "Ada Lovelace",
    "111 Wellington St",
    "Ottawa, ON, K1A 0A9",
    "Canada",
    "ada@teesmith.example",
    "+1 6135550100",
  ]);
});

test("an address that is no JSON is shown as it stands", () => {
  expect(addressLines("1 Main St\nOttawa")).toEqual(["1 Main St", "Ottawa"]);
  expect(addressLines(null)).toEqual([]);
});

test("the printer and Stripe get one number, without its extension", () => {
  const dialled = (phone: string) => dialledPhone({ ...emptyAddress, phone });
  expect(dialled("+12125550100 ext. 42")).toBe("+12125550100");
  expect(dialled("+12125550100")).toBe("+12125550100");
  // orders from before numbers were parsed
  expect(dialled("2125550100")).toBe("+12125550100");
  expect(dialled("+1 (212) 555-0100")).toBe("+1 (212) 555-0100");
});

test("a number with its own country code stands by itself on the label", () => {
  const json = JSON.stringify({ ...emptyAddress, phone: "+12125550100 ext. 42" });
  expect(addressLines(json).at(-1)).toBe("+12125550100 ext. 42");
});
