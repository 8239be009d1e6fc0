import { useCallback, useState } from "react";
import { Button } from "@/components/ui/button";
import { clearDraft, readDraft } from "@/lib/session-draft";
import { editDesignImage } from "./api/edit-design-image";
import { FailurePanel } from "./components/failure-panel";
import { GeneratingPanel } from "./components/generating-panel";
import { ResultPanel } from "./components/result-panel";
import { WizardPage } from "./components/wizard-page";
import { mergeDraft } from "./forms/merge-draft";
import { PictureFormStep } from "./forms/picture-form";
import { emptyPictureForm, type PictureForm, styleOf } from "./forms/picture-form-schema";
import { useColorGroup } from "./wizard/use-color-group";
import { useSaveDesign } from "./wizard/use-save-design";
import { useWizard } from "./wizard/use-wizard";

const DRAFT = "from-picture";
const STEPS = ["Photo", "Transform", "Keep"] as const;

export function FromPicturePage() {
  const [form, setForm] = useState<PictureForm>(
    () => readDraft(DRAFT, (value) => mergeDraft(emptyPictureForm, value)) ?? emptyPictureForm,
  );
  const color = useColorGroup(form.colorId);
  const { save, saving } = useSaveDesign(() => clearDraft(DRAFT));

  const generate = useCallback(
    (signal: AbortSignal) =>
      editDesignImage(
        {
          image: form.photo,
          style: styleOf(form),
          instructions: form.instructions.trim(),
          typography: form.typography.trim(),
          background_color_name: color?.name ?? "",
          background_color_hex: color?.hex ?? "",
        },
        signal,
      ),
    [form, color],
  );
  const wizard = useWizard({
    generate,
    failureTitle: "Design Generation Error",
    failureFallback: "Something went wrong generating the design.",
  });

  function submit(values: PictureForm) {
    setForm(values);
    wizard.submit();
  }

  function startOver() {
    setForm(emptyPictureForm);
    clearDraft(DRAFT);
    wizard.leave();
  }

  return (
    <WizardPage title="Create Custom T-Shirt from Picture" steps={STEPS} step={wizard.step}>
      {wizard.step === 1 ? (
        <PictureFormStep draftName={DRAFT} initial={form} onSubmit={submit} />
      ) : null}
      {wizard.step === 2 && wizard.error ? (
        <FailurePanel title="Processing Failed" message={wizard.error}>
          <Button onClick={wizard.retry}>Try Again</Button>
          <Button variant="secondary" onClick={wizard.leave}>
            Back to Form
          </Button>
        </FailurePanel>
      ) : null}
      {wizard.step === 2 && !wizard.error ? (
        <GeneratingPanel
          title="Transforming Your Image"
          shirtHex={color?.hex ?? "#ffffff"}
          loading={wizard.loading}
        />
      ) : null}
      {wizard.step === 3 ? (
        <ResultPanel
          title="Transformation Complete!"
          failureTitle="Transformation Failed"
          saveLabel="Save & Create Product"
          image={wizard.image}
          error={wizard.error}
          color={color}
          saving={saving}
          onSave={(image) => save({ name: `Picture Design - ${styleOf(form)}`, image, color })}
          onStartOver={startOver}
          onRetry={wizard.retry}
          onBroken={() => wizard.spoil("The picture arrived damaged.")}
        />
      ) : null}
    </WizardPage>
  );
}
