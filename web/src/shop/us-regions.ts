/** US states, territories and military regions, each with the first three digits of its ZIP codes. */
import regions from "../../../functions/_shared/orders/us_regions.json";

interface Region {
  code: string;
  name: string;
  prefixes: ReadonlySet<string>;
}

function prefixesOf(ranges: string): Set<string> {
  const prefixes = new Set<string>();
  for (const range of ranges.split(" ")) {
    const [first = "", last = first] = range.split("-");
    for (let prefix = Number(first); prefix <= Number(last); prefix += 1) {
      prefixes.add(String(prefix).padStart(3, "0"));
    }
  }
  return prefixes;
}

const REGIONS: readonly Region[] = Object.entries(regions).map(([code, { name, zips }]) => ({
  code,
  name,
  prefixes: prefixesOf(zips),
}));

/** By its code or its name, in capitals or not. */
export function findRegion(text: string): Region | undefined {
  const query = text.trim().toLowerCase();
  return REGIONS.find(
    ({ code, name }) => code.toLowerCase() === query || name.toLowerCase() === query,
  );
}

/** Where a ZIP code may lie: one region for nearly all, none for a prefix that is not in use. */
export function regionsOfZip(zip: string): readonly Region[] {
  const prefix = zip.trim().slice(0, 3);
  return REGIONS.filter(({ prefixes }) => prefixes.has(prefix));
}
