/** The steps that both wizards share: form and draft, generating, saving, starting over. */
import { useCallback, useState } from "react";
import * as z from "zod/mini";
import { clearPicture, readPicture } from "@/lib/drafts/picture-drafts";
import { clearDraft, readDraft } from "@/lib/drafts/text-drafts";
import { useUser } from "@/lib/session/session-provider";
import { cleanText } from "@/lib/text/visible-text";
import { type DesignJob, findJob, jobPicture } from "@/shop/designs/design-jobs";
import { responseOrJob } from "@/shop/designs/follow-job";
import { ideaSchema } from "@/shop/variations/idea";
import { resumePicture } from "@/shop/variations/resume-picture";
import type { Drawn } from "@/shop/variations/use-variations";
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
  generate: (form: F, color: ShirtColor, jobId: string, signal: AbortSignal) => Promise<string>;
  /** The form of a running job, restored from its request. */
  restore: (request: Record<string, unknown>) => Partial<F>;
  /** Without this field there is nothing to generate again. */
  source: keyof F;
  nameOf: (form: F) => string;
  /** The name says little of the picture: another one is offered. */
  offersName?: boolean;
  /** One of the shop's styles; null for one in the user's words. */
  styleOf: (form: F) => string | null;
  failureTitle: string;
  failureFallback: string;
  /** Starting over empties the form too. */
  clearOnReset: boolean;
}

export function useDesignWizard<F extends WizardForm>(design: DesignWizard<F>) {
  const { draft, empty, generate, restore, nameOf } = design;
  const owner = useUser().id;
  const [form, setForm] = useState<F>(
    () => readDraft(owner, draft, (value) => mergeDraft(empty, value)) ?? empty,
  );
  const [colorName, setColorName] = useState("");
  const color = useColorGroup(form.colorId, colorName);
  const [name, hex] = [color?.name ?? "", color?.hex ?? ""];

  const draw = useCallback(
    (jobId: string, signal: AbortSignal) => {
      const shirt = { background_color_name: name, background_color_hex: hex };
      const call = generate(form, shirt, jobId, signal);
      return responseOrJob(call, { jobId, signal, fromJob: jobPicture });
    },
    [generate, form, name, hex],
  );
  /** The form that a job's picture was drawn from. */
  const remember = useCallback(
    ({ request }: DesignJob) => {
      setForm((current) => ({ ...current, ...restore(request) }));
      setColorName(String(request.background_color_name));
    },
    [restore],
  );
  const resume = useCallback(
    (jobId: string, signal: AbortSignal, onFound: (job: DesignJob) => void) =>
      resumePicture(jobId, signal, (job) => {
        remember(job);
        onFound(job);
      }),
    [remember],
  );
  const wizard = useWizard({
    generate: draw,
    resume,
    failureTitle: design.failureTitle,
    failureFallback: design.failureFallback,
  });

  function forget() {
    clearDraft(owner, draft);
    void clearPicture(owner, draft);
  }

  const { save, saving, sent } = useSaveDesign(() => {
    forget();
    wizard.close();
  }, wizard.job);

  return {
    form,
    color,
    // after a reload there may be no photo any more to try again with
    wizard: { ...wizard, retry: form[design.source] ? wizard.retry : wizard.leave },
    saving,
    sent,
    variations: {
      ids: wizard.compared,
      onIds: wizard.compare,
      chosen: wizard.job,
      onChoose(drawn: Drawn) {
        remember(drawn.job);
        wizard.choose(drawn.id, drawn.image);
      },
      ideaOf: async () => z.parse(ideaSchema, await findJob(wizard.job ?? "")),
      // after a reload the form has none, but its draft has
      photoOf: async () => form.photo || readPicture(owner, draft),
    },
    submit(values: F) {
      setForm(values);
      wizard.submit();
    },
    /** What it is called unless the user names it; undefined where it is not asked. */
    suggestedName: design.offersName ? nameOf(form) : undefined,
    save: (image: string, ownName: string) =>
      save({ name: cleanText(ownName) || nameOf(form), image, color, style: design.styleOf(form) }),
    startOver() {
      if (design.clearOnReset) {
        setForm(empty);
        forget();
      }
      wizard.leave();
    },
  };
}
