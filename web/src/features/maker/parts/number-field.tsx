import { type KeyboardEvent, useId, useState } from "react";
import { Input, Label } from "@/components/ui/field";

interface NumberFieldProps {
  label: string;
  value: number;
  least: number;
  most: number;
  step?: number;
  digits?: number;
  disabled?: boolean;
  onChange: (value: number) => void;
}

/** A number that counts once it is whole: on Enter, by the arrow keys, and when the field is left. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, least, most, step = 1, digits = 0, disabled, onChange } = props;
  const id = useId();
  const [text, setText] = useState<string>();

  function commit(typed: string) {
    setText(undefined);
    const number = Number.parseFloat(typed.replace(",", "."));
    if (!Number.isFinite(number)) return;
    const kept = Math.min(most, Math.max(least, number));
    if (kept.toFixed(digits) !== value.toFixed(digits)) onChange(kept);
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.key === "Enter") commit(event.currentTarget.value);
    if (!direction) return;
    event.preventDefault();
    commit(String(Number.parseFloat(event.currentTarget.value) + direction * step));
  }

  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Label htmlFor={id} className="text-ink-soft">
        {label}
      </Label>
      <Input
        id={id}
        inputMode="decimal"
        role="spinbutton"
        aria-valuenow={Number(value.toFixed(digits))}
        aria-valuemin={least}
        aria-valuemax={most}
        disabled={disabled}
        value={text ?? value.toFixed(digits)}
        onChange={(event) => setText(event.target.value)}
        onBlur={(event) => text !== undefined && commit(event.target.value)}
        onKeyDown={press}
        className="h-10 px-2.5 tabular-nums"
      />
    </div>
  );
}
