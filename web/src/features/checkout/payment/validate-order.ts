/** Validates the order before payment; returns the first fault as the toast's text. */
import { type Address, type AddressField, firstMissing } from "../address/address";
import { firstInvalid } from "../address/first-invalid";

export const INVALID_ADDRESS = "Check Your Address";

export interface Problem {
  title: string;
  message: string;
  field?: AddressField;
}

interface OrderState {
  address: Address;
  quantity: number;
  cardComplete: boolean;
}

export function firstProblem({ address, quantity, cardComplete }: OrderState): Problem | undefined {
  const missing = firstMissing(address);
  if (missing) {
    return {
      title: "Missing Information",
      message: `Please fill in ${missing.name}`,
      field: missing.field,
    };
  }
  const invalid = firstInvalid(address);
  if (invalid) return { title: INVALID_ADDRESS, message: invalid.message, field: invalid.field };
  if (quantity <= 0)
    return { title: "Size Required", message: "Please select a size before proceeding" };
  if (!cardComplete) {
    return { title: "Card Information Required", message: "Please complete your card information" };
  }
  return undefined;
}
