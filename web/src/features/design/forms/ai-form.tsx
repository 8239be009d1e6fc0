import { useCallback } from "react";
import { Field, Textarea } from "@/components/ui/field";
import { FormSection } from "../components/form-section";
import { PreviewColumn } from "../components/preview-column";
import { AI_STYLES, MOODS } from "../options";
import { type AiForm, aiFormSchema } from "./ai-form-schema";
import { ChoiceSection, ColorSection, WordsSection } from "./form-fields";
import { FormLayout } from "./form-layout";
import { showFirstProblem, useWizardForm } from "./use-wizard-form";

interface AiFormStepProps {
  draftName: string;
  initial: AiForm;
  onSubmit: (form: AiForm) => void;
}

export function AiFormStep({ draftName, initial, onSubmit }: AiFormStepProps) {
  const { form, values, errors, choose } = useWizardForm({
    schema: aiFormSchema,
    draftName,
    initial,
  });
  const chooseColor = useCallback((id: string) => choose("colorId", id), [choose]);

  return (
    <FormLayout
      onSubmit={form.handleSubmit(onSubmit, showFirstProblem)}
      submit="Next: Generate Image"
      preview={
        <PreviewColumn
          colorId={values.colorId}
          caption={`${values.style}, ${values.mood}`}
          words={values.typography}
        />
      }
    >
      <ChoiceSection
        number={1}
        title="Choose a Style"
        options={AI_STYLES}
        value={values.style}
        onChange={(style) => choose("style", style)}
      />
      <ChoiceSection
        number={2}
        title="Choose a Tone/Color"
        options={MOODS}
        value={values.mood}
        onChange={(mood) => choose("mood", mood)}
      />
      <FormSection number={3} title="Describe your idea">
        <Field
          label="Your idea"
          hint="Who or what is on the shirt, and what are they up to? The odd details make it yours."
          error={errors.idea?.message}
        >
          {(ids) => (
            <Textarea
              {...ids}
              {...form.register("idea")}
              rows={4}
              maxLength={1500}
              required
              placeholder="A fox in a raincoat riding a bicycle through autumn leaves"
            />
          )}
        </Field>
      </FormSection>
      <WordsSection
        number={4}
        hint="Limit to 3 words: short lettering prints best."
        placeholder="Limit to 3 words..."
        value={values.typography}
        onChange={(words) => choose("typography", words)}
      />
      <ColorSection
        number={5}
        value={values.colorId}
        error={errors.colorId?.message}
        onChange={chooseColor}
      />
    </FormLayout>
  );
}
