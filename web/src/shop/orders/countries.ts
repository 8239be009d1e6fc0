/** Where we ship, with each country's phone code. The United States comes first: most parcels go there. */
import countries from "../../../../functions/_shared/shipping/countries.json";

export interface Country {
  code: string;
  name: string;
  phone_code: string;
  /** Of a territory of the United States, how its ZIP codes begin. */
  us_zips?: string;
}

export const COUNTRIES: readonly Country[] = countries;

const BY_CODE = new Map(COUNTRIES.map((country) => [country.code, country]));

export function findCountry(code: string): Country | undefined {
  return BY_CODE.get(code);
}

/** The country that a US address with this region, or without one and with this ZIP code, lies in. */
export function territoryOfUs(region: string, zip: string): Country | undefined {
  const wanted = region.trim().toLowerCase();
  return COUNTRIES.find(({ code, name, us_zips }) => {
    if (!us_zips) return false;
    if (!wanted) return new RegExp(`^(?:${us_zips})`).test(zip.trim());
    return [code.toLowerCase(), name.toLowerCase().replace("u.s. ", "")].includes(
      wanted.replace("u.s. ", ""),
    );
  });
}

export const PHONE_CODES: readonly string[] = [
  ...new Set(COUNTRIES.map((country) => country.phone_code)),
].toSorted((a, b) => Number(a) - Number(b));
