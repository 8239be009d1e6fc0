import { useCallback } from "react";
import { Field, Input, Textarea } from "@/components/ui/field";
import { usePictureDraft } from "@/lib/drafts/use-drafts";
import { FormSection } from "../components/form-section";
import { PhotoUpload } from "../components/photo-upload";
import { PreviewColumn } from "../components/preview-column";
import { PICTURE_STYLES } from "../options";
import { ChoiceSection, ColorSection, WordsSection } from "./form-fields";
import { FormLayout } from "./form-layout";
import { type PictureForm, pictureFormSchema } from "./picture-form-schema";
import { showFirstProblem, useWizardForm } from "./use-wizard-form";

interface PictureFormStepProps {
  draftName: string;
  initial: PictureForm;
  onSubmit: (form: PictureForm) => void;
}

const withoutPhoto = (form: PictureForm) => ({ ...form, photo: "" });

export function PictureFormStep({ draftName, initial, onSubmit }: PictureFormStepProps) {
  const { form, values, errors, choose } = useWizardForm({
    schema: pictureFormSchema,
    draftName,
    initial,
    draftOf: withoutPhoto,
  });
  usePictureDraft(draftName, values.photo, (photo) => choose("photo", photo));
  const chooseColor = useCallback((id: string) => choose("colorId", id), [choose]);

  return (
    <FormLayout
      onSubmit={form.handleSubmit(onSubmit, showFirstProblem)}
      submit="Create Design from Photo"
      preview={
        <PreviewColumn
          colorId={values.colorId}
          caption={values.style === "Other" ? values.customStyle || "Your own style" : values.style}
          words={values.typography}
          photo={values.photo}
        />
      }
    >
      <FormSection number={1} title="Upload Photo" error={errors.photo?.message}>
        <PhotoUpload
          value={values.photo}
          onChange={(photo) => choose("photo", photo)}
          onProblem={(message) => form.setError("photo", { message })}
        />
      </FormSection>
      <ChoiceSection
        number={2}
        title="Choose a Style"
        options={PICTURE_STYLES}
        value={values.style}
        onChange={(style) => choose("style", style)}
      >
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
      </ChoiceSection>
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
      <WordsSection
        number={4}
        hint="Keep to 1-3 words: short lettering prints best."
        placeholder="Good boy"
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
