import { expect, test } from "vitest";
import { ServiceError } from "@/lib/errors/errors";
import { COUNTRIES, findCountry, PHONE_CODES } from "@/shop/orders/countries";
import { type Address, emptyAddress, readAddress } from "@/shop/orders/shipping-address";
import {
  firstMissing,
  fromSaved,
  initialAddress,
  inTerritory,
  sameAddress,
  trimmed,
} from "./address";
import { type CountryRules, loadRules } from "./country-rules";
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

const RULES: Record<string, CountryRules | undefined> = {};
for (const code of ["US", "CA", "DE", "HK", "GB", "IE"])
  RULES[code] = (await loadRules(code)) ?? undefined;

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

test("a postal code is called as in its country, and missing only where there is one", () => {
  const missing = (country: string) =>
    firstMissing({ ...full, country, zip: " " }, RULES[country])?.name;
  expect(missing("US")).toBe("ZIP code");
  expect(missing("DE")).toBe("postal code");
  expect(missing("GB")).toBe("postcode");
  expect(missing("HK")).toBeUndefined();
  expect(missing("IE")).toBeUndefined();
});

function faultIn(changes: Partial<Address>) {
  const address = { ...full, ...changes };
  return firstInvalid(address, RULES[address.country]);
}

test("an address that cannot be right is caught before anything is charged", () => {
  const fieldOf = (changes: Partial<Address>) => faultIn(changes)?.field;
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

test("a fault says what would be right", () => {
  const messageOf = (changes: Partial<Address>) => faultIn(changes)?.message;
  expect(messageOf({ zip: "9021" })).toBe("ZIP codes here look like 95014.");
  expect(messageOf({ country: "GB", region: "", zip: "90210" })).toBe(
    "Postcodes here look like EC1Y 8SY.",
  );
  expect(messageOf({ country: "CA", region: "" })).toBe("Please fill in your province.");
  expect(messageOf({ country: "CA", region: "Texas" })).toBe(
    "We don't know this province. Please write it in full.",
  );
  expect(messageOf({ region: "", zip: "00901" })).toBe(
    "This ZIP code is in Puerto Rico. Please choose it as your country.",
  );
  expect(messageOf({ city: "Нью-Йорк" })).toBe(
    "The printer can't print “Н”. Please use Latin letters.",
  );
  expect(messageOf({ address1: "x".repeat(201) })).toBe("Please shorten this to 200 characters.");
});

test("a US state is known by code and by name, fits the ZIP code, and may come from it", () => {
  for (const region of ["NY", "ny", " New York ", "N.Y.", ""])
    expect(faultIn({ region })).toBeUndefined();
  expect(faultIn({ region: "CA" })).toEqual({
    field: "zip",
    message: "This ZIP code is not in California.",
  });
  expect(faultIn({ region: "", zip: "06390" })?.field).toBe("region");
  expect(faultIn({ region: "Armed Forces Europe", zip: "09012" })).toBeUndefined();
});

test("before the rules of a country are there, the server judges its places", () => {
  expect(firstInvalid({ ...full, country: "CA", region: "", zip: "1" })).toBeUndefined();
  expect(firstMissing({ ...full, country: "HK", zip: "" })).toBeUndefined();
});

test("addresses of a territory of the United States become those of a country", () => {
  const old = { ...full, region: "Puerto Rico", zip: "00901" };
  const now = { ...old, country: "PR", region: "" };
  expect(inTerritory(old)).toEqual(now);
  expect(inTerritory({ ...old, region: "" })).toEqual(now);
  expect(fromSaved({ ...old, id: "1", is_default: true })).toEqual(now);
  expect(inTerritory({ ...old, region: "U.S. Virgin Islands" }).country).toBe("VI");
  for (const same of [full, { ...full, country: "CA", region: "PR" }])
    expect(inTerritory(same)).toEqual(same);
});

test("signs that are not seen are named by their field", () => {
  for (const sign of ["\u0000", "\u0007", "\u001b", "\u0085", "\u034f", "\u3164", "\ue000"])
    expect(faultIn({ first_name: `A${sign}da` })?.field).toBe("first_name");
});

test("the printer prints Latin letters of all languages, and no others", () => {
  for (const first_name of ["Zoë", "O'Neill", "Nguyễn Thị", "Łukasz", "D’Arcy", "Kapiʻolani"])
    expect(faultIn({ first_name })).toBeUndefined();
  for (const first_name of ["東京", "मोहन", "Юлия", "A 😀", "שרה"])
    expect(faultIn({ first_name })?.field).toBe("first_name");
});

test("an email address that cannot work is named", () => {
  for (const email of ["a@b", "a@b..c", "a..b@c.de", "a b@c.de", "a@-b.de", "a@b.c1", "<a@b.de>"])
    expect(faultIn({ email })).toEqual({
      field: "email",
      message: "This doesn't look like an email address.",
    });
});

test("marks that copying brings are taken out of every field", () => {
  for (const mark of [
    "\u00ad",
    "\u061c",
    "\u180e",
    "\u200b",
    "\u200d",
    "\u200e",
    "\u202e",
    "\u2060",
    "\u2066",
    "\ufeff",
  ]) {
    const marked = Object.fromEntries(
      Object.entries(full).map(([field, text]: [string, string]) => [
        field,
        ["", ...text, ""].join(mark),
      ]),
    ) as unknown as typeof full;
    expect(faultIn(marked)).toBeUndefined();
    expect(trimmed(marked)).toEqual(full);
  }
  expect(trimmed({ ...full, address1: "\u00a0350\u202f5th\u3000Ave\t6" }).address1).toBe(
    "350 5th Ave 6",
  );
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
  expect(readAddress({ city: "Paris", zip: 75_001, card: "4242" })).toEqual({
    ...emptyAddress,
    city: "Paris",
  });
  expect(readAddress(null)).toBeUndefined();
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
  expect(zipToLookUp("US", "00901")).toBeUndefined();
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
