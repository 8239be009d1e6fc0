import { AlignCenter, AlignLeft, AlignRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Label, Textarea } from "@/components/ui/field";
import { cn } from "@/lib/text/cn";
import type { LetteringLayer } from "@/shop/scene/scene";
import { InkChoice } from "../parts/ink-choice";
import { Slider } from "../parts/slider";
import { useAfterPaint } from "../parts/use-after-paint";
import type { LayerChange } from "../state/edits";
import { FIRST_WORDS } from "../state/new-layers";
import { FaceChoice } from "./face-choice";

const LONGEST = 200;
const MOST_LINES = 6;
const ALIGNMENTS = [
  ["left", AlignLeft],
  ["center", AlignCenter],
  ["right", AlignRight],
] as const;

interface LetteringPanelProps {
  layer: LetteringLayer;
  cloth: string;
  /** Characters that the face does not have. */
  missing: readonly string[];
  onChange: (change: LayerChange, name?: string) => void;
  onSettle: () => void;
}

export function LetteringPanel({ layer, cloth, missing, onChange, onSettle }: LetteringPanelProps) {
  const { text, align = "center", curve = 0 } = layer;
  // Without a word there is nothing to draw: the shirt keeps the last ones meanwhile.
  const [emptied, setEmptied] = useState(false);
  // What is typed shows at once, the shirt follows.
  const [typed, setTyped] = useState<string>();
  const { send, flush } = useAfterPaint((written: string) => {
    setTyped(undefined);
    onChange({ text: written }, "write");
  });
  const words = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (words.current?.value !== FIRST_WORDS) return;
    words.current.focus();
    words.current.select();
  }, []);

  function write(entered: string) {
    const lines = entered.replace(/[^\P{Cc}\n]/gu, "").split("\n");
    const kept = lines.slice(0, MOST_LINES).join("\n").slice(0, LONGEST);
    setEmptied(kept.trim() === "");
    if (kept.trim() === "") return;
    setTyped(kept);
    send(kept);
  }

  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Words"
        error={
          missing.length > 0
            ? `This face has no ${missing.join(" ")}. Choose another face, or other words.`
            : undefined
        }
      >
        {(ids) => (
          <Textarea
            {...ids}
            ref={words}
            value={emptied ? "" : (typed ?? text)}
            maxLength={LONGEST}
            rows={2}
            onChange={(event) => write(event.target.value)}
            onBlur={() => {
              flush();
              setEmptied(false);
              onSettle();
            }}
          />
        )}
      </Field>
      <FaceChoice chosen={layer.face} onChoose={(face) => onChange({ face }, "face")} />
      <InkChoice
        label="Ink"
        value={layer.color}
        cloth={cloth}
        onChange={(color) => onChange({ color }, "ink")}
      />
      <fieldset aria-label="Alignment" className="min-w-0 flex gap-1">
        {ALIGNMENTS.map(([name, Icon]) => (
          <Button
            key={name}
            variant="ghost"
            size="icon"
            aria-label={`Align ${name}`}
            aria-pressed={align === name}
            onClick={() => onChange({ align: name })}
            className={cn(align === name && "bg-sunk ring-1 ring-line-strong")}
          >
            <Icon aria-hidden="true" />
          </Button>
        ))}
      </fieldset>
      <Slider
        label="Curve"
        shown={curveInWords(curve)}
        value={Math.round(curve * 100)}
        least={-100}
        most={100}
        step={5}
        onChange={(value) => onChange({ curve: value === 0 ? undefined : value / 100 }, "curve")}
        onSettle={onSettle}
      />
      <OutlinePart layer={layer} cloth={cloth} onChange={onChange} onSettle={onSettle} />
      <ShadowPart layer={layer} cloth={cloth} onChange={onChange} onSettle={onSettle} />
    </div>
  );
}

function curveInWords(curve: number): string {
  if (curve === 0) return "Straight";
  return `${Math.round(Math.abs(curve) * 360)}° ${curve > 0 ? "up" : "down"}`;
}

type PartProps = Omit<LetteringPanelProps, "missing">;

function OutlinePart({ layer, cloth, onChange, onSettle }: PartProps) {
  const { outline } = layer;
  return (
    <Optional
      label="Outline"
      isOn={Boolean(outline)}
      onSwitch={(on) => onChange({ outline: on ? { color: "#16120f", width: 0.06 } : undefined })}
    >
      {outline ? (
        <>
          <InkChoice
            label="Ink of the outline"
            value={outline.color}
            cloth={cloth}
            onChange={(color) => color && onChange({ outline: { ...outline, color } })}
          />
          <Slider
            label="Width"
            shown={`${Math.round(outline.width * 100)} % of the letters' height`}
            value={Math.round(outline.width * 100)}
            least={1}
            most={30}
            step={1}
            onChange={(value) =>
              onChange({ outline: { ...outline, width: value / 100 } }, "outline")
            }
            onSettle={onSettle}
          />
        </>
      ) : null}
    </Optional>
  );
}

function ShadowPart({ layer, cloth, onChange, onSettle }: PartProps) {
  const { shadow } = layer;
  return (
    <Optional
      label="Shadow"
      isOn={Boolean(shadow)}
      onSwitch={(on) =>
        onChange({ shadow: on ? { color: "#f0492f", x: 0.06, y: 0.06 } : undefined })
      }
    >
      {shadow ? (
        <>
          <InkChoice
            label="Ink of the shadow"
            value={shadow.color}
            cloth={cloth}
            onChange={(color) => color && onChange({ shadow: { ...shadow, color } })}
          />
          {(["x", "y"] as const).map((axis) => (
            <Slider
              key={axis}
              label={axis === "x" ? "To the right" : "Downwards"}
              shown={`${Math.round(shadow[axis] * 100)} %`}
              value={Math.round(shadow[axis] * 100)}
              least={-50}
              most={50}
              step={1}
              onChange={(value) =>
                onChange({ shadow: { ...shadow, [axis]: value / 100 } }, `shadow ${axis}`)
              }
              onSettle={onSettle}
            />
          ))}
        </>
      ) : null}
    </Optional>
  );
}

interface OptionalProps {
  label: string;
  isOn: boolean;
  onSwitch: (on: boolean) => void;
  children: ReactNode;
}

function Optional({ label, isOn, onSwitch, children }: OptionalProps) {
  const id = `lettering-${label.toLowerCase()}`;
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-3">
      <div className="flex items-center gap-2.5">
        <Checkbox
          id={id}
          checked={isOn}
          onCheckedChange={(checked) => onSwitch(checked === true)}
        />
        <Label htmlFor={id}>{label}</Label>
      </div>
      {children}
    </div>
  );
}
