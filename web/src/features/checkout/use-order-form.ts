/** The order being filled in: address, sizes, and their drafts across a reload. */
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { clearDraft, readDraft, useSaveDraft } from "@/lib/session-draft";
import type { Variant } from "@/shop/variants";
import {
  type Address,
  initialAddress,
  parseAddressDraft,
  type SavedAddress,
} from "./address/address";
import {
  orderLines,
  parseQuantitiesDraft,
  type SizeQuantities,
  totalQuantity,
  withQuantity,
} from "./sizes/quantities";

const ADDRESS_DRAFT = "checkout-address";

interface OrderFormOptions {
  designId: string;
  sizes: Variant[];
  saved: readonly SavedAddress[];
  username: string | null | undefined;
  email: string | undefined;
}

export function useOrderForm({ designId, sizes, saved, username, email }: OrderFormOptions) {
  const sizesDraft = `checkout-sizes:${designId}`;
  const form = useForm<Address>({
    defaultValues:
      readDraft(ADDRESS_DRAFT, parseAddressDraft) ?? initialAddress({ saved, username, email }),
  });
  const address = useWatch({ control: form.control }) as Address;
  useSaveDraft(ADDRESS_DRAFT, address);

  const [quantities, setQuantities] = useState<SizeQuantities>(
    () => readDraft(sizesDraft, parseQuantitiesDraft) ?? {},
  );
  useSaveDraft(sizesDraft, quantities);
  const lines = orderLines(sizes, quantities);

  return {
    form,
    address,
    quantities,
    lines,
    quantity: totalQuantity(lines),
    setQuantity: (variantId: string, quantity: number) =>
      setQuantities((current) => withQuantity(current, variantId, quantity)),
    /** The order is placed: nothing of it should come back with the next one but the saved address. */
    forget: () => {
      setQuantities({});
      clearDraft(ADDRESS_DRAFT);
    },
  };
}
