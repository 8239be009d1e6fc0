import { cleanText } from "@/lib/text/visible-text";
import { editDesignImage } from "@/shop/variations/edit-design-image";
import { PictureFormStep } from "./forms/picture-form";
import { emptyPictureForm, formOf, type PictureForm, styleOf } from "./forms/picture-form-schema";
import { type DesignWizard, useDesignWizard } from "./wizard/use-design-wizard";
import { WizardFlow, type WizardTexts } from "./wizard/wizard-flow";

const WIZARD: DesignWizard<PictureForm> = {
  draft: "from-picture",
  empty: emptyPictureForm,
  generate: (form, color, jobId, signal) =>
    editDesignImage(
      {
        image: form.photo,
        style: styleOf(form),
        instructions: cleanText(form.instructions),
        typography: cleanText(form.typography),
        ...color,
        job_id: jobId,
      },
      signal,
    ),
  restore: formOf,
  source: "photo",
  nameOf: (form) => `Picture Design - ${styleOf(form)}`,
  offersName: true,
  styleOf: (form) => (form.style === "Other" ? null : form.style),
  failureTitle: "Design Generation Error",
  failureFallback: "Something went wrong generating the design.",
  clearOnReset: true,
};

const TEXTS: WizardTexts = {
  title: "Create Custom T-Shirt from Picture",
  steps: ["Photo", "Transform", "Keep"],
  generating: "Transforming Your Image",
  failed: "Processing Failed",
  result: "Transformation Complete!",
  resultFailed: "Transformation Failed",
  save: "Save & Create Product",
};

export function FromPicturePage() {
  const flow = useDesignWizard(WIZARD);
  return (
    <WizardFlow texts={TEXTS} flow={flow}>
      <PictureFormStep draftName={WIZARD.draft} initial={flow.form} onSubmit={flow.submit} />
    </WizardFlow>
  );
}
