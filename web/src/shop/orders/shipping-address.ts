/** The shipping address, and what an order carries of it: JSON text, as lines for a label. */

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

const NOTHING: Address = { ...emptyAddress, country: "", phone_country_code: "" };

/** What was stored of an address, laid over another one. */
export function readAddress(stored: unknown, under: Address = emptyAddress): Address | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const entries = Object.entries(stored).filter(
    ([field, text]) => field in emptyAddress && typeof text === "string",
  );
  return { ...under, ...Object.fromEntries(entries) };
}

/** The address of an order; undefined where an old one carries it as plain text. */
export function orderAddress(json: string | null): Address | undefined {
  try {
    return readAddress(JSON.parse(json ?? ""), NOTHING);
  } catch {
    return undefined;
  }
}

/** The number for the printer and for Stripe: E.164 without an extension; of an old order as it was written. */
export function dialledPhone({ phone_country_code, phone }: Address): string {
  const [number = ""] = phone.split(" ext. ");
  return number.startsWith("+") ? number : `${phone_country_code}${number}`;
}

export function addressLines(json: string | null): string[] {
  const address = orderAddress(json);
  if (!address) return json ? json.split("\n") : [];
  const town = [address.city, address.region, address.zip].filter(Boolean).join(", ");
  return [
    [address.first_name, address.last_name].filter(Boolean).join(" "),
    address.address1,
    address.address2,
    town,
    countryName(address.country),
    address.email,
    address.phone.startsWith("+")
      ? address.phone
      : [address.phone_country_code, address.phone].filter(Boolean).join(" "),
  ].filter(Boolean);
}

function countryName(code: string): string {
  if (!code) return "";
  try {
    return new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
