import { cn } from "@/lib/text/cn";
import type { Address } from "@/shop/orders/shipping-address";
import { fromSaved, type SavedAddress, sameAddress } from "./address";

interface SavedAddressesProps {
  saved: readonly SavedAddress[];
  current: Address;
  onChoose: (address: Address) => void;
}

export function SavedAddresses({ saved, current, onChoose }: SavedAddressesProps) {
  if (saved.length === 0) return null;
  return (
    <div className="mb-5">
      <h3 className="mb-2 font-sans text-sm font-semibold tracking-normal">Saved addresses</h3>
      <ul className="flex flex-wrap gap-2">
        {saved.map((each) => {
          const address = fromSaved(each);
          const chosen = sameAddress(address, current);
          return (
            <li key={each.id}>
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() => onChoose(address)}
                className={cn(
                  "rounded-lg border base:border-line-strong bg-raised px-3 py-2 text-left text-sm hover:border-ink",
                  chosen && "border-ink ring-1 ring-ink",
                )}
              >
                <span className="block font-semibold">
                  {each.first_name} {each.last_name}
                </span>
                <span className="text-ink-soft">
                  {each.address1}, {each.city}, {each.country}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
