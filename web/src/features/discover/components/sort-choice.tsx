import { cn } from "@/lib/text/cn";

interface SortChoiceProps {
  mostLiked: boolean;
  /** What a search finds comes newest first. */
  searching: boolean;
  onSort: (mostLiked: boolean) => void;
}

const CHOICES = [
  { label: "Newest", likes: false },
  { label: "Most liked", likes: true },
];

export function SortChoice({ mostLiked, searching, onSort }: SortChoiceProps) {
  return (
    <fieldset
      disabled={searching}
      className="flex w-fit rounded-full border border-line-strong bg-raised p-0.5 disabled:opacity-50"
    >
      <legend className="sr-only">Order of the designs</legend>
      {CHOICES.map(({ label, likes }) => {
        const chosen = likes === (mostLiked && !searching);
        return (
          <button
            key={label}
            type="button"
            aria-pressed={chosen}
            onClick={() => onSort(likes)}
            className={cn(
              "h-10 rounded-full px-4 text-sm font-semibold base:text-ink-soft base:enabled:hover:text-ink",
              chosen && "bg-ink text-paper enabled:hover:text-paper",
            )}
          >
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}
