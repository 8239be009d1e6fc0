/** The shipping address: its form, what it must hold, and where its first values come from. */
import * as z from "zod/mini";
import { isBlank, withoutCopiedMarks } from "@/lib/text/visible-text";
import { territoryOfUs } from "@/shop/orders/countries";
import { type Address, emptyAddress } from "@/shop/orders/shipping-address";
import { parsePhone, writtenPhone } from "./contact";
import { type CountryRules, zipWord } from "./country-rules";

export type AddressField = keyof Address;

/** What must be filled in before paying, in the order of the form, and what each is called. */
const REQUIRED: readonly (readonly [AddressField, string])[] = [
  ["first_name", "first name"],
  ["last_name", "last name"],
  ["email", "email"],
  ["address1", "address"],
  ["city", "city"],
  ["country", "country"],
  ["zip", "ZIP code"],
  ["phone", "phone"],
  ["phone_country_code", "phone country code"],
];

interface Missing {
  field: AddressField;
  name: string;
}

/** A postal code is called as in its country, and missing only where there is one. */
export function missingFields(address: Address, rules?: CountryRules): Missing[] {
  const zipNeeded = rules ? rules.zip.needed : address.country === "US";
  return REQUIRED.filter(
    ([field]) => isBlank(address[field]) && (field !== "zip" || zipNeeded),
  ).map(([field, name]) => ({ field, name: field === "zip" && rules ? zipWord(rules) : name }));
}

export function firstMissing(address: Address, rules?: CountryRules): Missing | undefined {
  return missingFields(address, rules)[0];
}

const nullableText = z.pipe(
  z.nullable(z.string()),
  z.transform((text: string | null) => text ?? ""),
);

export const savedAddressSchema = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_country_code: z.string(),
  phone: z.string(),
  country: z.string(),
  region: nullableText,
  address1: z.string(),
  address2: nullableText,
  city: z.string(),
  zip: z.string(),
  is_default: z.boolean(),
});

export type SavedAddress = z.infer<typeof savedAddressSchema>;

export function fromSaved({ id: _id, is_default: _default, ...address }: SavedAddress): Address {
  return inTerritory(address);
}

/** An address of before the territories of the United States were countries. */
export function inTerritory(address: Address): Address {
  const territory =
    address.country === "US" ? territoryOfUs(address.region, address.zip) : undefined;
  return territory ? { ...address, country: territory.code, region: "" } : address;
}

interface Known {
  saved: readonly SavedAddress[];
  username: string | null | undefined;
  email: string | undefined;
}

/** The default saved address, else the first; without any, what the profile and the account say. */
export function initialAddress({ saved, username, email }: Known): Address {
  const chosen = saved.find((address) => address.is_default) ?? saved[0];
  if (chosen) return fromSaved(chosen);
  const [first = "", ...rest] = (username ?? "").trim().split(/\s+/);
  return { ...emptyAddress, first_name: first, last_name: rest.join(" "), email: email ?? "" };
}

/** Without blanks at the ends, and without the marks that copying brings. */
export function trimmed(address: Address): Address {
  const entries = Object.entries(address).map(([field, text]: [string, string]) => [
    field,
    withoutCopiedMarks(text).trim(),
  ]);
  return Object.fromEntries(entries) as unknown as Address;
}

export function sameAddress(a: Address, b: Address): boolean {
  return (Object.keys(emptyAddress) as AddressField[]).every(
    (field) => a[field].trim() === b[field].trim(),
  );
}

/** As an order carries it: the telephone number in E.164, and its extension after it. */
export function toOrder(address: Address): Address {
  const phone = parsePhone(address.phone, address.phone_country_code);
  return phone ? { ...address, phone: writtenPhone(phone) } : address;
}

/** As printed on the parcel. */
export function labelLines(address: Address, country: string): string[] {
  return [
    `${address.first_name} ${address.last_name}`.trim(),
    address.address1,
    address.address2,
    [address.city, address.region, address.zip].filter(Boolean).join(", "),
    country,
  ].filter(Boolean);
}
