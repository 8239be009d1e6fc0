/** The sections that both wizards' forms have. */
import type { ReactNode } from "react";
import { Field, Input } from "@/components/ui/field";
import { ChoiceButtons } from "../components/choice-buttons";
import { ColorChoice } from "../components/color-choice";
import { FormSection } from "../components/form-section";

interface ChoiceSectionProps<T extends string> {
  number: number;
  title: string;
  options: readonly T[];
  value: T;
  onChange: (value: T) => void;
  children?: ReactNode;
}

export function ChoiceSection<T extends string>(props: ChoiceSectionProps<T>) {
  return (
    <FormSection number={props.number} title={props.title}>
      <ChoiceButtons options={props.options} value={props.value} onChange={props.onChange} />
      {props.children}
    </FormSection>
  );
}

interface WordsSectionProps {
  number: number;
  hint: string;
  placeholder: string;
  value: string;
  onChange: (words: string) => void;
}

export function WordsSection({ number, hint, placeholder, value, onChange }: WordsSectionProps) {
  return (
    <FormSection number={number} title="Typography" optional>
      <Field label="Text on the shirt" hint={hint}>
        {(ids) => (
          <Input
            {...ids}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            maxLength={80}
            placeholder={placeholder}
          />
        )}
      </Field>
    </FormSection>
  );
}

interface ColorSectionProps {
  number: number;
  value: string;
  error: string | undefined;
  onChange: (variantId: string) => void;
}

export function ColorSection({ number, value, error, onChange }: ColorSectionProps) {
  return (
    <FormSection number={number} title="T-shirt color" error={error}>
      <ColorChoice value={value} onChange={onChange} />
    </FormSection>
  );
}
