import { isBlank } from "@/lib/text/visible-text";
import { generateDesignImage } from "@/shop/variations/generate-design-image";
import { promptOf } from "@/shop/variations/prompt";
import { AiFormStep } from "./forms/ai-form";
import { type AiForm, emptyAiForm, formOf } from "./forms/ai-form-schema";
import { type DesignWizard, useDesignWizard } from "./wizard/use-design-wizard";
import { WizardFlow, type WizardTexts } from "./wizard/wizard-flow";

const WIZARD: DesignWizard<AiForm> = {
  draft: "ai-generator",
  empty: emptyAiForm,
  generate: (form, color, jobId, signal) =>
    generateDesignImage(
      {
        prompt: promptOf(form),
        style: form.style,
        mood: form.mood,
        ...color,
        has_typography: !isBlank(form.typography),
        job_id: jobId,
      },
      signal,
    ),
  restore: formOf,
  source: "idea",
  nameOf: (form) => form.idea,
  styleOf: (form) => form.style,
  failureTitle: "AI Generator Error",
  failureFallback: "Something went wrong generating the image.",
  clearOnReset: false,
};

const TEXTS: WizardTexts = {
  title: "AI Design Generator",
  steps: ["Describe", "Draw", "Keep"],
  generating: "Creating Your Design",
  failed: "Generation Failed",
  result: "Your Design is Ready!",
  resultFailed: "Oops! Something went wrong",
  save: "Save and Create Product",
};

export function AiGeneratorPage() {
  const flow = useDesignWizard(WIZARD);
  return (
    <WizardFlow texts={TEXTS} flow={flow}>
      <AiFormStep draftName={WIZARD.draft} initial={flow.form} onSubmit={flow.submit} />
    </WizardFlow>
  );
}
