/** What must be right before paying; the first thing that isn't, as the toast says it. */
import { type Address, type AddressField, firstInvalid, firstMissing } from "../address/address";

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
  if (invalid)
    return { title: "Check Your Address", message: invalid.message, field: invalid.field };
  if (quantity <= 0)
    return { title: "Size Required", message: "Please select a size before proceeding" };
  if (!cardComplete) {
    return { title: "Card Information Required", message: "Please complete your card information" };
  }
  return undefined;
}
