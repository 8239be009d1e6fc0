/** What happens in the form between filling it in and paying: errors that go, and places that follow the country. */
import { useEffect, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { notify } from "@/lib/errors/notify";
import { findCountry } from "@/shop/orders/countries";
import type { Address } from "@/shop/orders/shipping-address";
import type { AddressField } from "./address";
import { type CountryRules, findRegion } from "./country-rules";
import { faultOf } from "./first-invalid";

const PLACE = ["region", "city", "zip"] as const;
/** Fields that are judged with each other. */
const TOGETHER: readonly (readonly AddressField[])[] = [
  ["country", "region", "zip"],
  ["phone_country_code", "phone"],
];

/** Looks at a field that has an error anew whenever it, or one that it is judged with, changes. */
export function useErrorsThatGo(form: UseFormReturn<Address>, rules: CountryRules | undefined) {
  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name }) => {
      const judged = TOGETHER.find((fields) => fields.some((field) => field === name));
      for (const field of judged ?? (name ? [name] : [])) {
        if (form.getFieldState(field).error) showFault(form, field, rules);
      }
    });
    return unsubscribe;
  }, [form, rules]);
}

export function showFault(
  form: UseFormReturn<Address>,
  field: AddressField,
  rules: CountryRules | undefined,
) {
  const message = faultOf(field, form.getValues(), rules);
  if (message) form.setError(field, { message });
  else form.clearErrors(field);
}

/** Empties region, city and postal code when the country changes, and brings them back when it changes back. */
export function usePlaceOfCountry(form: UseFormReturn<Address>) {
  const left = useRef(new Map<string, Pick<Address, (typeof PLACE)[number]>>());
  return (from: string, to: string) => {
    const { region, city, zip } = form.getValues();
    left.current.set(from, { region, city, zip });
    const place = left.current.get(to) ?? { region: "", city: "", zip: "" };
    for (const field of PLACE) form.setValue(field, place[field], { shouldDirty: true });
    form.clearErrors([...PLACE]);
    if ((region || city || zip) && !(place.region || place.city || place.zip)) {
      const name = findCountry(to)?.name ?? to;
      notify(`Country: ${name}`, "Please fill in city, region and postal code anew.");
    }
  };
}

/** Writes a region as its country's list does: `California` from a saved address is `CA`. */
export function useListedRegion(
  form: UseFormReturn<Address>,
  rules: CountryRules | undefined,
  { country, region }: Address,
) {
  useEffect(() => {
    if (!region || rules?.country !== country || rules.regions.length === 0) return;
    const code = findRegion(rules, region)?.code ?? "";
    if (code === region) return;
    form.setValue("region", code, { shouldDirty: true });
    if (!code) {
      const word = rules.region.label.toLowerCase();
      notify(`Please choose your ${word}`, `“${region}” is not in the list of this country.`);
    }
  }, [form, rules, country, region]);
}
