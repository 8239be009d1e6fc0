import { cn } from "@/lib/text/cn";

interface ChoiceButtonsProps<T extends string> {
  options: readonly T[];
  value: T;
  onChange: (value: T) => void;
}

/** One of several, as stamps side by side. */
export function ChoiceButtons<T extends string>({
  options,
  value,
  onChange,
}: ChoiceButtonsProps<T>) {
  return (
    <div className="flex flex-wrap gap-2">
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
          className={cn(
            "h-11 rounded-full border base:border-line-strong base:bg-raised px-4 text-[0.95rem] font-medium transition-colors first-letter:uppercase hover:border-ink",
            option === value && "border-ink bg-ink text-paper",
          )}
        >
          {option}
        </button>
      ))}
    </div>
  );
}
