/** The shipping address: its form, what it must hold, and where its first values come from. */
import * as z from "zod/mini";
import { isBlank } from "@/lib/visible-text";

export interface Address {
  first_name: string;
  last_name: string;
  email: string;
  phone_country_code: string;
  phone: string;
  country: string;
  region: string;
  address1: string;
  address2: string;
  city: string;
  zip: string;
}

export type AddressField = keyof Address;

export const emptyAddress: Address = {
  first_name: "",
  last_name: "",
  email: "",
  phone_country_code: "+1",
  phone: "",
  country: "US",
  region: "",
  address1: "",
  address2: "",
  city: "",
  zip: "",
};

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

export function firstMissing(address: Address): { field: AddressField; name: string } | undefined {
  const missing = REQUIRED.find(([field]) => isBlank(address[field]));
  return missing && { field: missing[0], name: missing[1] };
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
  return address;
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

export function trimmed(address: Address): Address {
  const entries = Object.entries(address).map(([field, text]: [string, string]) => [
    field,
    text.trim(),
  ]);
  return Object.fromEntries(entries) as unknown as Address;
}

export function sameAddress(a: Address, b: Address): boolean {
  return (Object.keys(emptyAddress) as AddressField[]).every(
    (field) => a[field].trim() === b[field].trim(),
  );
}

/** A stored draft laid over an empty address. */
export function parseAddressDraft(stored: unknown): Address | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const entries = Object.entries(stored).filter(
    ([field, text]) => field in emptyAddress && typeof text === "string",
  );
  return { ...emptyAddress, ...Object.fromEntries(entries) };
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
