/** The address that an order carries as JSON text, as lines for a label. */
import * as z from "zod/mini";

const text = z.optional(z.nullable(z.string()));

const schema = z.object({
  first_name: text,
  last_name: text,
  email: text,
  phone_country_code: text,
  phone: text,
  country: text,
  region: text,
  address1: text,
  address2: text,
  city: text,
  zip: text,
});

export function addressLines(json: string | null): string[] {
  if (!json) return [];
  try {
    const address = z.parse(schema, JSON.parse(json));
    const town = [address.city, address.region, address.zip].filter(Boolean).join(", ");
    return [
      [address.first_name, address.last_name].filter(Boolean).join(" "),
      address.address1,
      address.address2,
      town,
      countryName(address.country),
      address.email,
      [address.phone_country_code, address.phone].filter(Boolean).join(" "),
    ].filter((line): line is string => Boolean(line));
  } catch {
    // Not JSON: an old order may carry the address as plain text.
    return json.split("\n");
  }
}

function countryName(code: string | null | undefined): string | undefined {
  if (!code) return undefined;
  try {
    return new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
