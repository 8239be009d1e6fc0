/** The table that the functions' own judge passes too (tests/shop/unit/functions/shipping/test_address_table.py). */
import isPostalCode, { locales } from "validator/lib/isPostalCode";
import { expect, test } from "vitest";
import { COUNTRIES } from "@/shop/orders/countries";
import { emptyAddress } from "@/shop/orders/shipping-address";
import { ADDRESSES, DECISIONS } from "@/testing/address-tables";
import { firstMissing } from "./address";
import { type CountryRules, findRegion, isZip, loadRules, normalZip } from "./country-rules";
import { firstInvalid } from "./first-invalid";

const RULES = new Map<string, CountryRules>();
for (const { code } of COUNTRIES) {
  const rules = await loadRules(code);
  if (rules) RULES.set(code, rules);
}

const PERSON = {
  ...emptyAddress,
  first_name: "Ann",
  last_name: "Lee",
  email: "ann@example.com",
  phone: "2125550100",
};

test.each(ADDRESSES)("$country $zip $region $city $address1: $expected", (row) => {
  const { country, address1, city, region, zip } = row;
  const address = { ...PERSON, country, address1, city, region, zip };
  const rules = RULES.get(country);
  const fault = firstMissing(address, rules) ?? firstInvalid(address, rules);
  expect(row.expected.split("/")).toContain(fault?.field ?? "ok");
  if (!rules || fault) return;
  // what the server adds on the way to the printer is its own
  const isTerritory = COUNTRIES.some(({ code, us_zips }) => code === country && us_zips);
  if (zip) expect(normalZip(rules, zip)).toBe(row["zip at the printer"]);
  if (region && !isTerritory) {
    expect(findRegion(rules, region)?.code ?? region).toBe(row["region at the printer"]);
  }
});

test("every country has its rules", () => {
  expect([...RULES.keys()]).toEqual(COUNTRIES.map(({ code }) => code));
});

test("every difference to another judge of postal codes is decided in writing", () => {
  const differences = new Set<string>();
  for (const { country, zip } of ADDRESSES) {
    const rules = RULES.get(country);
    const locale = locales.find((each) => each === country);
    if (!zip || !rules || !locale) continue;
    const normal = normalZip(rules, zip);
    const [here, validator] = [isZip(rules, normal), isPostalCode(normal, locale)].map((right) =>
      right ? "right" : "wrong",
    );
    if (here !== validator) differences.add([country, normal, here, validator].join(" "));
  }
  const decided = DECISIONS.map((each) =>
    [each.country, each["postal code"], each.here, each.validator].join(" "),
  );
  expect(decided).toEqual([...differences]);
  for (const { why } of DECISIONS) expect(why).toMatch(/\w+ \w+/);
});
