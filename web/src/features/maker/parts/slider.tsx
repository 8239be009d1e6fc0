import { useId } from "react";
import { Label } from "@/components/ui/field";

interface SliderProps {
  label: string;
  /** The value in words. */
  shown: string;
  value: number;
  least: number;
  most: number;
  step: number;
  onChange: (value: number) => void;
  /** It was let go: the change is whole. */
  onSettle: () => void;
}

export function Slider({
  label,
  shown,
  value,
  least,
  most,
  step,
  onChange,
  onSettle,
}: SliderProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <Label htmlFor={id}>{label}</Label>
        <span className="text-sm text-ink-soft tabular-nums">{shown}</span>
      </div>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        aria-valuetext={shown}
        onChange={(event) => onChange(Number(event.target.value))}
        onPointerUp={onSettle}
        onBlur={onSettle}
        className="h-8 w-full cursor-pointer text-base accent-(--ink)"
      />
    </div>
  );
}
