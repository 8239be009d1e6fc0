import { useQuery } from "@tanstack/react-query";
import { notPrinted } from "@/shop/orders/parcel-label";
import { plainForm } from "./plain-form";

/** A text in other letters, offered in Latin ones. It is taken only when pressed. */
export function PlainOffer({ text, onTake }: { text: string; onTake: (plain: string) => void }) {
  const { data: plain } = useQuery({
    queryKey: ["plain-form", text],
    queryFn: async () => (await plainForm(text)) ?? null,
    enabled: notPrinted(text) !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!plain || notPrinted(text) === undefined) return null;
  return (
    <button
      type="button"
      onClick={() => onTake(plain)}
      className="self-start rounded-lg border border-line-strong bg-raised px-3 py-1.5 text-left text-sm wrap-anywhere hover:border-ink"
    >
      Use “{plain}”
    </button>
  );
}
