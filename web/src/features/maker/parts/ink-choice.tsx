import { Check } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { memo, useId } from "react";
import { cn } from "@/lib/text/cn";
import { isDark } from "@/shop/catalog/color";
import { INKS, isSwallowed } from "./palette";
import { useStable } from "./use-stable";

/** The value of no ink of its own. */
const OWN = "own";

interface InkChoiceProps {
  label: string;
  value: string | undefined;
  /** The shirt's colour. */
  cloth: string;
  /** What stands for no ink of its own, where that can be chosen. */
  none?: string;
  onChange: (hex: string | undefined) => void;
}

/** The palette. Inks that the cloth would swallow are struck through, and said. */
export function InkChoice({ onChange, ...shown }: InkChoiceProps) {
  return <Palette {...shown} onChange={useStable(onChange)} />;
}

const Palette = memo(function Palette({ label, value, cloth, none, onChange }: InkChoiceProps) {
  const id = useId();
  const chosen = INKS.find((ink) => ink.hex === value);
  const swallowed = value !== undefined && isSwallowed(value, cloth);
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className="text-sm font-semibold">
        {label}
        <span className="ml-2 font-normal text-ink-soft">
          {value === undefined ? none : (chosen?.name ?? value)}
        </span>
      </p>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value ?? OWN}
        onValueChange={(hex) => onChange(hex === OWN ? undefined : hex)}
        className="grid grid-cols-[repeat(auto-fill,minmax(2rem,1fr))] gap-1.5"
      >
        {none ? <Swatch name={none} hex={undefined} chosen={value === undefined} /> : null}
        {INKS.map(({ name, hex }) => (
          <Swatch
            key={hex}
            name={isSwallowed(hex, cloth) ? `${name}, hard to see on this shirt` : name}
            hex={hex}
            faint={isSwallowed(hex, cloth)}
            chosen={hex === value}
          />
        ))}
      </RadioGroup.Root>
      {swallowed ? (
        <p className="text-sm font-medium text-tomato-text">
          This ink hardly shows on a shirt of this color.
        </p>
      ) : null}
    </div>
  );
});

interface SwatchProps {
  name: string;
  hex: string | undefined;
  faint?: boolean;
  chosen: boolean;
}

function Swatch({ name, hex, faint = false, chosen }: SwatchProps) {
  return (
    <RadioGroup.Item
      value={hex ?? OWN}
      aria-label={name}
      title={name}
      style={hex ? { backgroundColor: hex } : undefined}
      className={cn(
        "relative grid aspect-square min-h-8 place-items-center overflow-hidden rounded-md border border-ink/30 bg-raised forced-color-adjust-none dark:border-white/30",
        chosen && "ring-2 ring-ink ring-offset-2 ring-offset-raised",
      )}
    >
      {faint || !hex ? (
        <span
          aria-hidden="true"
          className={cn(
            "absolute h-px w-[140%] -rotate-45",
            !hex ? "bg-tomato-text" : isDark(hex) ? "bg-white/70" : "bg-[#1b1714]/60",
          )}
        />
      ) : null}
      {chosen ? (
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className={cn(
            "size-4",
            !hex ? "text-ink" : isDark(hex) ? "text-white" : "text-[#1b1714]",
          )}
        />
      ) : null}
    </RadioGroup.Item>
  );
}
