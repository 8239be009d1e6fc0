import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { expect, test } from "vitest";
import { COUNTRIES } from "@/shop/orders/countries";
import { emptyAddress } from "@/shop/orders/shipping-address";
import { PHONE_DIFFERENCES, PHONE_NUMBERS } from "@/testing/tables";
import { toOrder, trimmed } from "./address";
import { firstInvalid } from "./first-invalid";

const address = {
  ...emptyAddress,
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@teesmith.example",
  address1: "350 5th Ave",
  city: "New York",
  region: "NY",
  zip: "10118",
};

/** The number that an order gets; null if the form refuses it. */
function ofOrder(code: string, written: string): string | null {
  const filled = { ...address, phone_country_code: code, phone: written };
  const fault = firstInvalid(filled);
  if (!fault) return toOrder(trimmed(filled)).phone;
  expect(fault).toEqual({ field: "phone", message: "This doesn't look like a phone number." });
  return null;
}

function ofLibrary(code: string, written: string): string | null {
  const country = COUNTRIES.find((each) => each.phone_code === code)?.code as CountryCode;
  const phone = parsePhoneNumberFromString(written, { defaultCountry: country, extract: false });
  if (!phone?.isValid()) return null;
  return phone.ext ? `${phone.number} ext. ${phone.ext}` : phone.number;
}

test("every number of the table becomes the one that the function makes of it", () => {
  const wrong = PHONE_NUMBERS.filter(
    ([, code, written, number]) => ofOrder(code, written) !== number,
  );
  expect(wrong).toEqual([]);
});

test("every difference from the library alone is decided", () => {
  const expected = new Map(
    PHONE_NUMBERS.map(([, code, written, number]) => [`${code} ${written}`, number]),
  );
  const found = PHONE_NUMBERS.map(
    ([, code, written]) => [`${code} ${written}`, ofLibrary(code, written)] as const,
  ).filter(([key, number]) => number !== expected.get(key));
  const decided = PHONE_DIFFERENCES.map(
    ([code, written, , number]) => [`${code} ${written}`, number] as const,
  ).filter(([key, number]) => number !== expected.get(key));
  expect(new Map(found)).toEqual(new Map(decided));
});
