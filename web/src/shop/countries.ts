/** Where we ship, with each country's phone code. The United States comes first: most parcels go there. */
import countries from "../../../functions/_shared/orders/countries.json";

export interface Country {
  code: string;
  name: string;
  phone_code: string;
}

export const COUNTRIES: readonly Country[] = countries;

const BY_CODE = new Map(COUNTRIES.map((country) => [country.code, country]));

export function findCountry(code: string): Country | undefined {
  return BY_CODE.get(code);
}

export const PHONE_CODES: readonly string[] = [
  ...new Set(COUNTRIES.map((country) => country.phone_code)),
].toSorted((a, b) => Number(a) - Number(b));
