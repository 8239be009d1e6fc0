/** Validates the order before payment; returns the first fault as the toast's text. */
import type { Address } from "@/shop/orders/shipping-address";
import { type AddressField, firstMissing } from "../address/address";
import type { CountryRules } from "../address/country-rules";
import { firstInvalid } from "../address/first-invalid";

export const INVALID_ADDRESS = "Check Your Address";

export interface Problem {
  title: string;
  message: string;
  field?: AddressField;
}

interface OrderState {
  address: Address;
  rules?: CountryRules | undefined;
  quantity: number;
  cardComplete: boolean;
}

export function firstProblem({
  address,
  rules,
  quantity,
  cardComplete,
}: OrderState): Problem | undefined {
  const missing = firstMissing(address, rules);
  if (missing) {
    return {
      title: "Missing Information",
      message: `Please fill in ${missing.name}`,
      field: missing.field,
    };
  }
  const invalid = firstInvalid(address, rules);
  if (invalid) return { title: INVALID_ADDRESS, message: invalid.message, field: invalid.field };
  if (quantity <= 0)
    return { title: "Size Required", message: "Please select a size before proceeding" };
  if (!cardComplete) {
    return { title: "Card Information Required", message: "Please complete your card information" };
  }
  return undefined;
}
