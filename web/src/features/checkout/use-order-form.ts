/** The order being filled in: address, sizes, and their drafts across a reload. */
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { clearDraft, readDraft } from "@/lib/drafts/text-drafts";
import { useSaveDraft } from "@/lib/drafts/use-drafts";
import { useUser } from "@/lib/session/session-provider";
import type { Variant } from "@/shop/catalog/variants";
import { type Address, readAddress } from "@/shop/orders/shipping-address";
import { initialAddress, inTerritory, type SavedAddress } from "./address/address";
import {
  orderLines,
  parseQuantitiesDraft,
  type SizeQuantities,
  totalQuantity,
  withQuantity,
} from "./sizes/quantities";

const ADDRESS_DRAFT = "checkout-address";
const SAVE_DRAFT = "checkout-save-address";

const asFlag = (value: unknown) => (typeof value === "boolean" ? value : undefined);

interface OrderFormOptions {
  designId: string;
  sizes: Variant[];
  saved: readonly SavedAddress[];
  username: string | null | undefined;
  email: string | undefined;
}

export function useOrderForm({ designId, sizes, saved, username, email }: OrderFormOptions) {
  const owner = useUser().id;
  const sizesDraft = `checkout-sizes:${designId}`;
  const form = useForm<Address>({
    defaultValues: inTerritory(
      readDraft(owner, ADDRESS_DRAFT, readAddress) ?? initialAddress({ saved, username, email }),
    ),
  });
  const address = useWatch({ control: form.control }) as Address;
  useSaveDraft(ADDRESS_DRAFT, address);

  const [quantities, setQuantities] = useState<SizeQuantities>(
    () => readDraft(owner, sizesDraft, parseQuantitiesDraft) ?? {},
  );
  useSaveDraft(sizesDraft, quantities);
  const [shouldSaveAddress, setShouldSaveAddress] = useState(
    () => readDraft(owner, SAVE_DRAFT, asFlag) ?? true,
  );
  useSaveDraft(SAVE_DRAFT, shouldSaveAddress);
  const lines = orderLines(sizes, quantities);

  return {
    form,
    address,
    quantities,
    lines,
    quantity: totalQuantity(lines),
    shouldSaveAddress,
    setShouldSaveAddress,
    setQuantity: (variantId: string, quantity: number) =>
      setQuantities((current) => withQuantity(current, variantId, quantity)),
    /** The order is placed: nothing of it should come back with the next one but the saved address. */
    forget: () => {
      for (const draft of [sizesDraft, ADDRESS_DRAFT, SAVE_DRAFT]) clearDraft(owner, draft);
    },
  };
}
