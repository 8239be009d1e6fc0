import { cn } from "@/lib/text/cn";

interface OptionsProps<Name extends string> {
  label: string;
  options: readonly Name[];
  chosen: Name;
  onChoose: (name: Name) => void;
  /** A colour beside the name. */
  swatch?: (name: Name) => string | undefined;
}

/** One of a few, as radio buttons: arrows move, the choice takes effect at once. */
export function Options<Name extends string>({
  label,
  options,
  chosen,
  onChoose,
  swatch,
}: OptionsProps<Name>) {
  return (
    <fieldset className="flex flex-wrap gap-2.5">
      <legend className="sr-only">{label}</legend>
      {options.map((name) => (
        <label
          key={name}
          className={cn(
            "flex min-h-11 cursor-pointer items-center gap-2 rounded-card border-[1.5px] base:border-line-strong base:bg-paper px-3.5 font-medium has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-cobalt-text",
            name === chosen && "border-ink bg-sunflower text-on-ink",
          )}
        >
          <input
            type="radio"
            name={`demo-${label}`}
            checked={name === chosen}
            onChange={() => onChoose(name)}
            className="sr-only"
          />
          {swatch ? (
            <span
              aria-hidden="true"
              className="size-5 rounded-full border border-[#1b1714]/40 forced-color-adjust-none"
              style={{ backgroundColor: swatch(name) }}
            />
          ) : null}
          {name}
        </label>
      ))}
    </fieldset>
  );
}
