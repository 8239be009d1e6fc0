/**
 * What an address holds in each country, loaded one country at a time. The data is the server's, written by
 * `python -m tools.address_rules`; the functions here are its own (functions/_shared/shipping/address_rules.py).
 */
import { useQuery } from "@tanstack/react-query";
import { LONGEST, ZEROS } from "@/shop/orders/parcel-label";

export interface Region {
  /** Stored, and printed on the parcel. */
  code: string;
  name: string;
  /** How its postal codes begin: a regular expression, empty if unknown. */
  zips: string;
  spellings: string[];
}

export interface CountryRules {
  country: string;
  zip: {
    label: string;
    needed: boolean;
    /** Empty where there are no postal codes. */
    pattern: string;
    example: string;
    forms: string[];
    prefixes: string[];
  };
  city: { label: string };
  region: { label: string; needed: boolean };
  regions: Region[];
}

const FILES = import.meta.glob<Omit<CountryRules, "country">>("./data/rules/*.json", {
  import: "default",
});

export async function loadRules(country: string): Promise<CountryRules | null> {
  const load = FILES[`./data/rules/${country}.json`];
  return load ? { country, ...(await load()) } : null;
}

/** Undefined until they are there; without them the form takes any text, and the server judges. */
export function useCountryRules(country: string): CountryRules | undefined {
  const { data } = useQuery({
    queryKey: ["country-rules", country],
    queryFn: () => loadRules(country),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}

/** What a postal code is called within a sentence. */
export function zipWord({ zip }: CountryRules): string {
  return zip.label.startsWith("Post") ? zip.label.toLowerCase() : zip.label;
}

const TO_LATIN: Record<string, string> = { ı: "i", đ: "d", ł: "l", ø: "o" };

/** Letters and digits alone, without marks, in small letters. */
function folded(text: string): string {
  const plain = text.normalize("NFKD").toLowerCase();
  return plain
    .replace(/[^\p{Ll}\p{Lo}\p{Nd}]/gu, "")
    .replace(/[ıđłø]/g, (sign) => TO_LATIN[sign] ?? sign);
}

const FEWEST_LETTERS = 3;

/** São Paulo - SP, Roma (RM) */
const PARTS = /[,()/]|\s[-–]\s/;
const MOST_PARTS = 5;

/** By code or name in any script, by how its name begins, or by its last words: `calif.`, `東京都`, `Roma (RM)`. */
export function findRegion(rules: CountryRules, text: string): Region | undefined {
  const { regions } = rules;
  const spelling = folded(text);
  const spelled = regions.filter(({ code, name, spellings }) =>
    [folded(code), folded(name), ...spellings].includes(spelling),
  );
  if (spelled.length > 0) return spelled.length === 1 ? spelled[0] : undefined;
  const parts = text.split(PARTS).filter(folded);
  if (parts.length > 1) {
    const named = new Set(parts.slice(0, MOST_PARTS).map((part) => findRegion(rules, part)));
    return named.size === 1 ? [...named][0] : undefined;
  }
  if (spelling.length < FEWEST_LETTERS) return undefined;
  const meant = regions.filter(({ name }) => mayBe(name, spelling));
  return meant.length === 1 ? meant[0] : undefined;
}

function mayBe(name: string, spelling: string): boolean {
  const words = name.split(/\s+/);
  const ends = words.slice(1).map((_, place) => folded(words.slice(place + 1).join("")));
  return folded(name).startsWith(spelling) || ends.includes(spelling);
}

/** Blanks, dots, hyphens of all kinds, and Japan's sign before a postal code. */
const BETWEEN = /[\s.\-\u2010-\u2015\u2212〒]/g;

/** `k1a0b1` is `K1A 0B1`; what is no postal code here comes back as it was, without blanks around it. */
export function normalZip(rules: CountryRules, text: string): string {
  if (!rules.zip.pattern) return text.trim();
  for (const possible of possibleZips(rules, text)) if (isZip(rules, possible)) return possible;
  return text.trim();
}

function* possibleZips({ country, zip }: CountryRules, text: string): Generator<string> {
  const bare = asciiDigits(text).toUpperCase().replace(BETWEEN, "");
  if (bare.length > LONGEST.zip) return;
  const shorter = zip.prefixes
    .filter((each) => bare.startsWith(each))
    .map((each) => bare.slice(each.length));
  for (const signs of [bare, ...shorter, country + bare]) {
    for (const form of zip.forms) {
      if (form.replace(/[^0]/g, "").length !== signs.length) continue;
      let place = 0;
      yield form.replace(/0/g, () => signs.charAt(place++));
    }
    yield signs;
    for (const between of "- ")
      for (let place = 1; place < signs.length; place++)
        yield signs.slice(0, place) + between + signs.slice(place);
  }
}

/** Digits of other scripts, and full-width signs, as ASCII. */
function asciiDigits(text: string): string {
  return text.normalize("NFKC").replace(/\p{Nd}/gu, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS.find((each) => code >= each.charCodeAt(0) && code <= each.charCodeAt(0) + 9);
    return zero ? String(code - zero.charCodeAt(0)) : digit;
  });
}

export function isZip({ zip }: CountryRules, text: string): boolean {
  return !zip.pattern || new RegExp(`^(?:${zip.pattern})$`).test(text);
}

/** The regions in which a postal code may lie, as far as their codes are known. */
export function regionsOfZip({ regions }: CountryRules, zip: string): Region[] {
  return regions.filter(({ zips }) => zips && new RegExp(`^(?:${zips})`).test(zip));
}
