import { expect, test } from "vitest";
import { ServiceError } from "@/lib/errors";
import { COUNTRIES, findCountry, PHONE_CODES } from "@/shop/countries";
import {
  emptyAddress,
  firstMissing,
  initialAddress,
  parseAddressDraft,
  sameAddress,
  trimmed,
} from "./address";
import { faultOfResponse, firstInvalid } from "./first-invalid";
import { zipFills, zipToLookUp } from "./use-zip-lookup";

const full = {
  ...emptyAddress,
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@teesmith.example",
  phone: "2125550100",
  address1: "350 5th Ave",
  city: "New York",
  region: "NY",
  zip: "10118",
};
const saved = (id: string, isDefault: boolean, address1: string) => ({
  ...full,
  address1,
  id,
  is_default: isDefault,
});

test("the first field that is missing is named", () => {
  expect(firstMissing(full)).toBeUndefined();
  expect(firstMissing({ ...full, last_name: "  ", zip: "" })).toEqual({
    field: "last_name",
    name: "last name",
  });
  for (const field of [
    "first_name",
    "last_name",
    "email",
    "address1",
    "city",
    "country",
    "zip",
    "phone",
    "phone_country_code",
  ] as const) {
    expect(firstMissing({ ...full, [field]: "" })?.field).toBe(field);
  }
});

test("region and second line may be empty", () => {
  expect(firstMissing({ ...full, region: "", address2: "" })).toBeUndefined();
});

test("an address that cannot be right is caught before anything is charged", () => {
  const fieldOf = (changes: object) => firstInvalid({ ...full, ...changes })?.field;
  expect(fieldOf({})).toBeUndefined();
  expect(fieldOf({ email: "ada" })).toBe("email");
  expect(fieldOf({ zip: "1011" })).toBe("zip");
  expect(fieldOf({ zip: "00000" })).toBe("zip");
  expect(fieldOf({ country: "ZZ" })).toBe("country");
  expect(fieldOf({ region: "Ontario" })).toBe("region");
  expect(fieldOf({ country: "CA", region: "ON", zip: "M5V 2T6" })).toBeUndefined();
  expect(fieldOf({ country: "CA", region: " ", zip: "M5V 2T6" })).toBe("region");
  expect(fieldOf({ country: "DE", region: "", zip: "10115" })).toBeUndefined();
});

test("a US state is known by code and by name, fits the ZIP code, and may come from it", () => {
  for (const region of ["NY", "ny", " New York ", ""])
    expect(firstInvalid({ ...full, region })).toBeUndefined();
  expect(firstInvalid({ ...full, region: "CA" })).toEqual({
    field: "zip",
    message: "This ZIP code is not in California.",
  });
  expect(firstInvalid({ ...full, region: "", zip: "06390" })?.field).toBe("region");
  expect(firstInvalid({ ...full, region: "Armed Forces Europe", zip: "09012" })).toBeUndefined();
});

test("signs that are not seen are named by their field, and no script is left out", () => {
  for (const sign of [
    "\u0000",
    "\u0007",
    "\u001b",
    "\u0085",
    "\u00ad",
    "\u200b",
    "\u200d",
    "\u202e",
    "\ufeff",
  ])
    expect(firstInvalid({ ...full, first_name: `A${sign}da` })?.field).toBe("first_name");
  for (const first_name of ["Zoë", "東京", "मोहन", "می\u200cخواهم", "O'Neill"])
    expect(firstInvalid({ ...full, first_name })).toBeUndefined();
});

test("an email address and a phone number that cannot work are named", () => {
  for (const email of ["a@b", "a@b..c", "a..b@c.de", "a b@c.de", "a@-b.de", "a@b.c1", "<a@b.de>"])
    expect(firstInvalid({ ...full, email })).toEqual({
      field: "email",
      message: "This doesn't look like an email address.",
    });
  for (const phone of ["1234", "abc", "()", "++15551234", "5551234 call", "5".repeat(15), "²²²²²"])
    expect(firstInvalid({ ...full, phone })).toEqual({
      field: "phone",
      message: "This doesn't look like a phone number.",
    });
  for (const phone of ["5551234", "(310) 555-1234", "310.555.1234", "+1 310 555 1234 x12"])
    expect(firstInvalid({ ...full, phone })).toBeUndefined();
});

test("a field of characters that are not seen is missing", () => {
  for (const text of ["\u3164", "\u2800", "\ufe0f", "\u00a0"])
    expect(firstMissing({ ...full, city: text })?.field).toBe("city");
});

test("the field that the server finds a fault in is read from its answer", () => {
  const refused = (message: string, code = "invalid_request") =>
    faultOfResponse(new ServiceError(message, code, 400));
  expect(refused("shipping_address.zip: This ZIP code is not in New York.")).toEqual({
    field: "zip",
    message: "This ZIP code is not in New York.",
  });
  expect(refused("shipping_address.card: What?")).toBeUndefined();
  expect(refused("amount: Field required.")).toBeUndefined();
  expect(refused("shipping_address.zip: no.", "price_changed")).toBeUndefined();
  expect(faultOfResponse(new Error("shipping_address.zip: no."))).toBeUndefined();
});

test("the form begins with the default address, else the first saved one", () => {
  const account = { username: "X Y", email: "x@y.z" };
  const addresses = [saved("1", false, "first"), saved("2", true, "default")];
  expect(initialAddress({ ...account, saved: addresses }).address1).toBe("default");
  expect(initialAddress({ ...account, saved: addresses.slice(0, 1) })).toEqual({
    ...full,
    address1: "first",
  });
});

test("without saved addresses the names come from the username, the email from the account", () => {
  const begin = (username: string | null) =>
    initialAddress({ saved: [], username, email: "ada@teesmith.example" });
  expect(begin("Ada King Lovelace")).toMatchObject({
    first_name: "Ada",
    last_name: "King Lovelace",
    country: "US",
    phone_country_code: "+1",
  });
  expect(begin("ada")).toMatchObject({ first_name: "ada", last_name: "" });
  expect(begin(null)).toMatchObject({
    first_name: "",
    last_name: "",
    email: "ada@teesmith.example",
  });
});

test("an address survives a reload, without what is not of it", () => {
  expect(parseAddressDraft({ city: "Paris", zip: 75_001, card: "4242" })).toEqual({
    ...emptyAddress,
    city: "Paris",
  });
  expect(parseAddressDraft(null)).toBeUndefined();
});

test("spaces make no other address", () => {
  expect(sameAddress(full, { ...full, city: " New York " })).toBe(true);
  expect(sameAddress(full, { ...full, city: "Newark" })).toBe(false);
  expect(trimmed({ ...full, city: " New York " })).toEqual(full);
});

test("we ship to about eighty countries, each with its phone code", () => {
  expect(COUNTRIES.length).toBeGreaterThan(80);
  expect(COUNTRIES.length).toBeLessThan(90);
  expect(COUNTRIES[0]?.code).toBe("US");
  expect(new Set(COUNTRIES.map((country) => country.code)).size).toBe(COUNTRIES.length);
  for (const country of COUNTRIES) {
    expect(country.code).toMatch(/^[A-Z]{2}$/);
    expect(country.phone_code).toMatch(/^\+\d{1,4}$/);
  }
  expect([findCountry("CA")?.phone_code, findCountry("DE")?.phone_code]).toEqual(["+1", "+49"]);
  expect(PHONE_CODES[0]).toBe("+1");
});

test("a ZIP code is looked up for the US and five digits only", () => {
  expect(zipToLookUp("US", " 90210 ")).toBe("90210");
  expect(zipToLookUp("US", "9021")).toBeUndefined();
  expect(zipToLookUp("US", "90210-1234")).toBeUndefined();
  expect(zipToLookUp("CA", "90210")).toBeUndefined();
});

test("a ZIP code fills city and state only where they are empty", () => {
  const place = { city: "Beverly Hills", state: "CA" };
  expect(zipFills({ city: "", region: "" }, place)).toEqual({
    city: "Beverly Hills",
    region: "CA",
  });
  expect(zipFills({ city: "Mine", region: " " }, place)).toEqual({ region: "CA" });
  expect(zipFills({ city: "Mine", region: "NV" }, place)).toEqual({});
});
