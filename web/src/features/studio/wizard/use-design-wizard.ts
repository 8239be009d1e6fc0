/** What both ways to a design share: the form and its draft, the drawing, the keeping, the starting over. */
import { useCallback, useState } from "react";
import { clearDraft, readDraft } from "@/lib/session-draft";
import { mergeDraft } from "../forms/merge-draft";
import { useColorGroup } from "./use-color-group";
import { useSaveDesign } from "./use-save-design";
import { useWizard } from "./use-wizard";

interface ShirtColor {
  background_color_name: string;
  background_color_hex: string;
}

/** Every field of a wizard's form is text; the colour is a variant's id. */
export type WizardForm = Record<string, string> & { colorId: string };

/** Functions in it have to be the same ones at every render. */
export interface DesignWizard<F extends WizardForm> {
  draft: string;
  empty: F;
  generate: (form: F, color: ShirtColor, signal: AbortSignal) => Promise<string>;
  nameOf: (form: F) => string;
  failureTitle: string;
  failureFallback: string;
  /** Starting over empties the form too. */
  clearOnReset: boolean;
}

export function useDesignWizard<F extends WizardForm>(design: DesignWizard<F>) {
  const { draft, empty, generate, nameOf } = design;
  const [form, setForm] = useState<F>(
    () => readDraft(draft, (value) => mergeDraft(empty, value)) ?? empty,
  );
  const color = useColorGroup(form.colorId);
  const { save, saving, sent } = useSaveDesign(() => clearDraft(draft));
  const [name, hex] = [color?.name ?? "", color?.hex ?? ""];

  const draw = useCallback(
    (signal: AbortSignal) =>
      generate(form, { background_color_name: name, background_color_hex: hex }, signal),
    [generate, form, name, hex],
  );
  const wizard = useWizard({
    generate: draw,
    failureTitle: design.failureTitle,
    failureFallback: design.failureFallback,
  });

  return {
    form,
    color,
    wizard,
    saving,
    sent,
    submit(values: F) {
      setForm(values);
      wizard.submit();
    },
    save: (image: string) => save({ name: nameOf(form), image, color }),
    startOver() {
      if (design.clearOnReset) {
        setForm(empty);
        clearDraft(draft);
      }
      wizard.leave();
    },
  };
}
