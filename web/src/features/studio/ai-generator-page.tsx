import { useCallback, useState } from "react";
import { Button } from "@/components/ui/button";
import { clearDraft, readDraft } from "@/lib/session-draft";
import { generateDesignImage } from "./api/generate-design-image";
import { FailurePanel } from "./components/failure-panel";
import { GeneratingPanel } from "./components/generating-panel";
import { ResultPanel } from "./components/result-panel";
import { WizardPage } from "./components/wizard-page";
import { AiFormStep } from "./forms/ai-form";
import { type AiForm, emptyAiForm, promptOf } from "./forms/ai-form-schema";
import { mergeDraft } from "./forms/merge-draft";
import { useColorGroup } from "./wizard/use-color-group";
import { useSaveDesign } from "./wizard/use-save-design";
import { useWizard } from "./wizard/use-wizard";

const DRAFT = "ai-generator";
const STEPS = ["Describe", "Draw", "Keep"] as const;

export function AiGeneratorPage() {
  const [form, setForm] = useState<AiForm>(
    () => readDraft(DRAFT, (value) => mergeDraft(emptyAiForm, value)) ?? emptyAiForm,
  );
  const color = useColorGroup(form.colorId);
  const { save, saving } = useSaveDesign(() => clearDraft(DRAFT));

  const generate = useCallback(
    (signal: AbortSignal) =>
      generateDesignImage(
        {
          prompt: promptOf(form),
          style: form.style,
          mood: form.mood,
          background_color_name: color?.name ?? "",
          background_color_hex: color?.hex ?? "",
          has_typography: form.typography.trim() !== "",
        },
        signal,
      ),
    [form, color],
  );
  const wizard = useWizard({
    generate,
    failureTitle: "AI Generator Error",
    failureFallback: "Something went wrong generating the image.",
  });

  function submit(values: AiForm) {
    setForm(values);
    wizard.submit();
  }

  return (
    <WizardPage title="AI Design Generator" steps={STEPS} step={wizard.step}>
      {wizard.step === 1 ? <AiFormStep draftName={DRAFT} initial={form} onSubmit={submit} /> : null}
      {wizard.step === 2 && wizard.error ? (
        <FailurePanel title="Generation Failed" message={wizard.error}>
          <Button onClick={wizard.retry}>Try Again</Button>
          <Button variant="secondary" onClick={wizard.leave}>
            Back to Form
          </Button>
        </FailurePanel>
      ) : null}
      {wizard.step === 2 && !wizard.error ? (
        <GeneratingPanel
          title="Creating Your Design"
          shirtHex={color?.hex ?? "#ffffff"}
          loading={wizard.loading}
        />
      ) : null}
      {wizard.step === 3 ? (
        <ResultPanel
          title="Your Design is Ready!"
          failureTitle="Oops! Something went wrong"
          saveLabel="Save and Create Product"
          image={wizard.image}
          error={wizard.error}
          color={color}
          saving={saving}
          onSave={(image) => save({ name: form.idea, image, color })}
          onStartOver={wizard.leave}
          onRetry={wizard.retry}
          onBroken={() => wizard.spoil("The picture arrived damaged.")}
        />
      ) : null}
    </WizardPage>
  );
}
