/**
 * Fills in city and state from a US ZIP code, but only empty fields. The rules are pure functions, testable without the
 * form.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { ConnectionError } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { withoutCopiedMarks } from "@/lib/text/visible-text";
import { territoryOfUs } from "@/shop/orders/countries";
import type { Address } from "@/shop/orders/shipping-address";
import { lookupZipCode, type ZipPlace } from "../api/lookup-zip-code";

/** The ZIP code to look up, if this one is to be: for the US, five digits exactly, and not of a territory. */
export function zipToLookUp(country: string, zip: string): string | undefined {
  const code = withoutCopiedMarks(zip).trim();
  return country === "US" && /^\d{5}$/.test(code) && !territoryOfUs("", code) ? code : undefined;
}

export function zipFills(
  address: Pick<Address, "city" | "region">,
  place: ZipPlace,
): Partial<Address> {
  const fills: Partial<Address> = {};
  if (!address.city.trim() && place.city) fills.city = place.city;
  if (!address.region.trim() && place.state) fills.region = place.state;
  return fills;
}

export function useZipLookup(form: UseFormReturn<Address>): (country: string, zip: string) => void {
  const client = useQueryClient();
  const latest = useRef<string>(undefined);

  async function lookUp(code: string) {
    try {
      const place = await client.fetchQuery({
        queryKey: ["zip", code],
        queryFn: () => lookupZipCode(code),
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
      });
      if (latest.current !== code) return;
      if (place.error) reportProblem(place.error);
      else fill(code, zipFills(form.getValues(), place));
    } catch (error) {
      if (latest.current === code) reportFailure(error);
    }
  }

  function fill(code: string, fills: Partial<Address>) {
    const entries = Object.entries(fills) as [keyof Address, string][];
    if (entries.length === 0) return;
    for (const [field, text] of entries) form.setValue(field, text, { shouldDirty: true });
    form.clearErrors(entries.map(([field]) => field));
    notify("Address Auto-filled", `City and state updated for ZIP code ${code}`);
  }

  return (country, zip) => {
    const code = zipToLookUp(country, zip);
    if (code === latest.current) return;
    latest.current = code;
    if (code) void lookUp(code);
  };
}

function reportProblem(error: string) {
  if (error === "ZIP code not found") {
    notifyProblem("ZIP Code Not Found", "The entered ZIP code could not be found");
  } else {
    notifyProblem("Lookup Error", error);
  }
}

function reportFailure(error: unknown) {
  if (error instanceof ConnectionError) {
    notifyProblem("Network Error", "Failed to connect to address lookup service.");
  } else {
    notifyProblem("ZIP Code Lookup Error", "Failed to lookup ZIP code information.");
  }
}
