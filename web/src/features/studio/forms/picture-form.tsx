import { zodResolver } from "@hookform/resolvers/zod";
import { ArrowRight } from "lucide-react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { useSaveDraft } from "@/lib/session-draft";
import { ChoiceButtons } from "../components/choice-buttons";
import { ColorChoice } from "../components/color-choice";
import { FormSection } from "../components/form-section";
import { PhotoUpload } from "../components/photo-upload";
import { PreviewColumn } from "../components/preview-column";
import { PICTURE_STYLES } from "../options";
import { type PictureForm, pictureFormSchema } from "./picture-form-schema";

interface PictureFormStepProps {
  draftName: string;
  initial: PictureForm;
  onSubmit: (form: PictureForm) => void;
}

export function PictureFormStep({ draftName, initial, onSubmit }: PictureFormStepProps) {
  const form = useForm<PictureForm>({
    resolver: zodResolver(pictureFormSchema),
    defaultValues: initial,
  });
  const { errors } = form.formState;
  const values = useWatch({ control: form.control }) as PictureForm;
  useSaveDraft(draftName, values);

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(onSubmit)}
      className="grid gap-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-16"
    >
      <div className="flex flex-col gap-8">
        <FormSection number={1} title="Upload Photo" error={errors.photo?.message}>
          <Controller
            control={form.control}
            name="photo"
            render={({ field }) => (
              <PhotoUpload
                value={field.value}
                onChange={(photo) => form.setValue("photo", photo, { shouldValidate: true })}
              />
            )}
          />
        </FormSection>
        <FormSection number={2} title="Choose a Style">
          <Controller
            control={form.control}
            name="style"
            render={({ field }) => (
              <ChoiceButtons
                options={PICTURE_STYLES}
                value={field.value}
                onChange={field.onChange}
              />
            )}
          />
          {values.style === "Other" ? (
            <Field label="Custom style" className="mt-4" error={errors.customStyle?.message}>
              {(ids) => (
                <Input
                  {...ids}
                  {...form.register("customStyle")}
                  maxLength={200}
                  placeholder="Describe your custom style..."
                />
              )}
            </Field>
          ) : null}
        </FormSection>
        <FormSection number={3} title="Additional instructions" optional>
          <Field label="Instructions" hint="What to keep, leave out or add.">
            {(ids) => (
              <Textarea
                {...ids}
                {...form.register("instructions")}
                rows={3}
                maxLength={1000}
                placeholder="Leave out the background, give the dog sunglasses"
              />
            )}
          </Field>
        </FormSection>
        <FormSection number={4} title="Typography" optional>
          <Field label="Text on the shirt" hint="Keep to 1-3 words: short lettering prints best.">
            {(ids) => (
              <Input
                {...ids}
                {...form.register("typography")}
                maxLength={80}
                placeholder="Good boy"
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
          Create Design from Photo
          <ArrowRight aria-hidden="true" />
        </Button>
      </div>
      <PreviewColumn
        colorId={values.colorId}
        caption={values.style === "Other" ? values.customStyle || "Your own style" : values.style}
        words={values.typography}
        photo={values.photo}
      />
    </form>
  );
}
