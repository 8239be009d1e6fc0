/**
 * Finds faults of an address before the card is charged. The same rules as the server's
 * (functions/_shared/orders/addresses.py), which decides.
 */
import { ServiceError } from "@/lib/errors";
import { hasHiddenCharacters } from "@/lib/visible-text";
import { findCountry } from "@/shop/countries";
import { findRegion, regionsOfZip } from "@/shop/us-regions";
import { type Address, type AddressField, emptyAddress } from "./address";
import { isEmail, isPhone } from "./contact";

export interface Fault {
  field: AddressField;
  message: string;
}

const FIELDS = Object.keys(emptyAddress) as AddressField[];
/** Countries in which the printer needs a region, and what it is called there. */
const NEEDS_REGION: Record<string, string> = { CA: "province", AU: "state" };

/** The first field that is filled in but cannot be right, with what to do about it. */
export function firstInvalid(address: Address): Fault | undefined {
  const hidden = FIELDS.find((field) => hasHiddenCharacters(address[field].trim()));
  if (hidden) {
    return { field: hidden, message: "This holds signs that can't be seen. Please type it again." };
  }
  if (!isEmail(address.email.trim())) {
    return { field: "email", message: "This doesn't look like an email address." };
  }
  if (!isPhone(address.phone.trim(), address.phone_country_code)) {
    return { field: "phone", message: "This doesn't look like a phone number." };
  }
  if (!findCountry(address.country)) {
    return { field: "country", message: "We don't ship to this country." };
  }
  if (address.country === "US") return invalidInUs(address.region.trim(), address.zip.trim());
  const region = NEEDS_REGION[address.country];
  if (region && !address.region.trim()) {
    return { field: "region", message: `Please fill in your ${region}.` };
  }
  return undefined;
}

function invalidInUs(region: string, zip: string): Fault | undefined {
  const state = findRegion(region);
  if (region && !state) {
    return { field: "region", message: "This is not a US state that we ship to." };
  }
  if (!/^[0-9]{5}(-[0-9]{4})?$/.test(zip)) {
    return { field: "zip", message: "A US ZIP code has five digits." };
  }
  const possible = regionsOfZip(zip);
  if (possible.length === 0) return { field: "zip", message: "There is no such ZIP code." };
  if (!state && possible.length > 1) {
    return {
      field: "region",
      message: "This ZIP code lies in several states. Please fill in yours.",
    };
  }
  if (state && !possible.includes(state)) {
    return { field: "zip", message: `This ZIP code is not in ${state.name}.` };
  }
  return undefined;
}

/** The field that the server found a fault in: it says `shipping_address.zip: This ZIP code is not in New York.` */
export function faultOfResponse(error: unknown): Fault | undefined {
  if (!(error instanceof ServiceError) || error.code !== "invalid_request") return undefined;
  const [, name, message] = /^shipping_address\.(\w+): (.+)$/.exec(error.message) ?? [];
  const field = FIELDS.find((each) => each === name);
  return field && message ? { field, message } : undefined;
}
