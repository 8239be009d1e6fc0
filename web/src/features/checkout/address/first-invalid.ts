/**
 * Finds faults of an address before the card is charged. The same rules as the server's
 * (functions/_shared/shipping/addresses.py), which decides.
 */

import { ServiceError } from "@/lib/errors/errors";
import { isEmail } from "@/lib/text/email";
import { hasHiddenCharacters } from "@/lib/text/visible-text";
import { findCountry, territoryOfUs } from "@/shop/orders/countries";
import { LONGEST, notPrinted } from "@/shop/orders/parcel-label";
import { type Address, emptyAddress } from "@/shop/orders/shipping-address";
import { type AddressField, missingFields, trimmed } from "./address";
import { parsePhone } from "./contact";
import {
  type CountryRules,
  findRegion,
  isZip,
  normalZip,
  regionsOfZip,
  zipWord,
} from "./country-rules";

export interface Fault {
  field: AddressField;
  message: string;
}

const FIELDS = Object.keys(emptyAddress) as AddressField[];
const LABEL_FIELDS = Object.entries(LONGEST) as [AddressField, number][];

/** The first field that is filled in but cannot be right, with what to do about it. */
export function firstInvalid(address: Address, rules?: CountryRules): Fault | undefined {
  return invalidFields(address, rules).next().value || undefined;
}

/** What is wrong with one field, empty or not. */
export function faultOf(
  field: AddressField,
  address: Address,
  rules?: CountryRules,
): string | undefined {
  const missing = missingFields(address, rules).find((each) => each.field === field);
  if (missing) return `Please fill in ${missing.name}`;
  for (const fault of invalidFields(address, rules))
    if (fault.field === field) return fault.message;
  return undefined;
}

function* invalidFields(written: Address, rules?: CountryRules): Generator<Fault, undefined> {
  const address = trimmed(written);
  for (const field of FIELDS)
    if (hasHiddenCharacters(address[field]))
      yield { field, message: "This holds signs that can't be seen. Please type it again." };
  const printed = rules ? asPrinted(address, rules) : address;
  for (const [field, longest] of LABEL_FIELDS) {
    const text = printed[field];
    const sign = notPrinted(text);
    if (sign)
      yield { field, message: `The printer can't print “${sign}”. Please use Latin letters.` };
    if (Array.from(text).length > longest)
      yield { field, message: `Please shorten this to ${longest} characters.` };
  }
  if (!isEmail(address.email)) {
    yield { field: "email", message: "This doesn't look like an email address." };
  }
  if (!parsePhone(address.phone, address.phone_country_code)) {
    yield { field: "phone", message: "This doesn't look like a phone number." };
  }
  if (!findCountry(address.country)) {
    yield { field: "country", message: "We don't ship to this country." };
  }
  if (rules) yield* invalidPlace(printed, rules);
}

/** Region and postal code as the post writes them: a code, and signs of any script as ASCII. */
function asPrinted(address: Address, rules: CountryRules): Address {
  return {
    ...address,
    region: findRegion(rules, address.region)?.code ?? address.region,
    zip: normalZip(rules, address.zip),
  };
}

function* invalidPlace({ region, zip }: Address, rules: CountryRules): Generator<Fault, undefined> {
  const inUs = rules.country === "US";
  const found = findRegion(rules, region);
  const word = rules.region.label.toLowerCase();
  if (!region && rules.region.needed && !inUs) {
    yield { field: "region", message: `Please fill in your ${word}.` };
  } else if (inUs && territoryOfUs(region, "")) {
    const territory = territoryOfUs(region, "")?.name;
    yield { field: "region", message: `Please choose ${territory} as your country.` };
  } else if (region && rules.regions.length > 0 && !found) {
    yield { field: "region", message: `We don't know this ${word}. Please write it in full.` };
  }
  if (!zip) return;
  const { label: name, example } = rules.zip;
  if (!isZip(rules, zip)) {
    yield { field: "zip", message: `${name}s here look like ${example}.` };
    return;
  }
  const possible = regionsOfZip(rules, zip);
  const territory = territoryOfUs("", zip)?.name;
  if (inUs && possible.length === 0) {
    const message = territory
      ? `This ZIP code is in ${territory}. Please choose it as your country.`
      : "There is no such ZIP code.";
    yield { field: "zip", message };
  } else if (inUs && !region && possible.length > 1) {
    const message = "This ZIP code lies in several states. Please fill in yours.";
    yield { field: "region", message };
  } else if (found?.zips && !possible.includes(found)) {
    yield { field: "zip", message: `This ${zipWord(rules)} is not in ${found.name}.` };
  }
}

/** The field that the server found a fault in: it says `shipping_address.zip: This ZIP code is not in New York.` */
export function faultOfResponse(error: unknown): Fault | undefined {
  if (!(error instanceof ServiceError) || error.code !== "invalid_request") return undefined;
  const [, name, message] = /^shipping_address\.(\w+): (.+)$/.exec(error.message) ?? [];
  const field = FIELDS.find((each) => each === name);
  return field && message ? { field, message } : undefined;
}
