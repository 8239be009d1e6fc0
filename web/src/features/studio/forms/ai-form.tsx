import { zodResolver } from "@hookform/resolvers/zod";
import { ArrowRight } from "lucide-react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { useSaveDraft } from "@/lib/session-draft";
import { ChoiceButtons } from "../components/choice-buttons";
import { ColorChoice } from "../components/color-choice";
import { FormSection } from "../components/form-section";
import { PreviewColumn } from "../components/preview-column";
import { AI_STYLES, MOODS } from "../options";
import { type AiForm, aiFormSchema } from "./ai-form-schema";

interface AiFormStepProps {
  draftName: string;
  initial: AiForm;
  onSubmit: (form: AiForm) => void;
}

export function AiFormStep({ draftName, initial, onSubmit }: AiFormStepProps) {
  const form = useForm<AiForm>({ resolver: zodResolver(aiFormSchema), defaultValues: initial });
  const { errors } = form.formState;
  const values = useWatch({ control: form.control }) as AiForm;
  useSaveDraft(draftName, values);

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(onSubmit)}
      className="grid gap-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-16"
    >
      <div className="flex flex-col gap-8">
        <FormSection number={1} title="Choose a Style">
          <Controller
            control={form.control}
            name="style"
            render={({ field }) => (
              <ChoiceButtons options={AI_STYLES} value={field.value} onChange={field.onChange} />
            )}
          />
        </FormSection>
        <FormSection number={2} title="Choose a Tone/Color">
          <Controller
            control={form.control}
            name="mood"
            render={({ field }) => (
              <ChoiceButtons options={MOODS} value={field.value} onChange={field.onChange} />
            )}
          />
        </FormSection>
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
        <FormSection number={4} title="Typography" optional>
          <Field label="Text on the shirt" hint="Limit to 3 words: short lettering prints best.">
            {(ids) => (
              <Input
                {...ids}
                {...form.register("typography")}
                maxLength={80}
                placeholder="Limit to 3 words..."
              />
            )}
          </Field>
        </FormSection>
        <FormSection number={5} title="T-shirt color" error={errors.colorId?.message}>
          <Controller
            control={form.control}
            name="colorId"
            render={({ field }) => (
              <ColorChoice
                value={field.value}
                onChange={(id) => form.setValue("colorId", id, { shouldValidate: true })}
              />
            )}
          />
        </FormSection>
        <Button type="submit" size="lg" className="self-stretch sm:self-start">
          Next: Generate Image
          <ArrowRight aria-hidden="true" />
        </Button>
      </div>
      <PreviewColumn
        colorId={values.colorId}
        caption={`${values.style}, ${values.mood}`}
        words={values.typography}
      />
    </form>
  );
}
