import { zodResolver } from "@hookform/resolvers/zod";
import { useCallback, useMemo } from "react";
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  useForm,
  useWatch,
} from "react-hook-form";
import type { $ZodType } from "zod/v4/core";
import { useSaveDraft } from "@/lib/drafts/use-drafts";

interface WizardFormOptions<F extends FieldValues> {
  schema: $ZodType<F, F>;
  draftName: string;
  initial: F;
  /** What of the form its draft holds. */
  draftOf?: (form: F) => unknown;
}

/** A wizard's form with its draft. `choose` is for fields that are picked, not typed: it clears their error. */
export function useWizardForm<F extends FieldValues>(options: WizardFormOptions<F>) {
  const form = useForm<F>({
    resolver: zodResolver(options.schema) as unknown as Resolver<F>,
    defaultValues: options.initial as DefaultValues<F>,
  });
  const values = useWatch({ control: form.control }) as F;
  const { draftOf } = options;
  useSaveDraft(
    options.draftName,
    useMemo(() => draftOf?.(values) ?? values, [draftOf, values]),
  );
  const { setValue } = form;
  const choose = useCallback(
    <N extends Path<F>>(name: N, value: PathValue<F, N>) =>
      setValue(name, value, { shouldValidate: true }),
    [setValue],
  );
  return { form, values, errors: form.formState.errors, choose };
}

/** The form is longer than the screen: what is wrong must not stay out of sight. */
export function showFirstProblem(): void {
  // The messages are drawn after this turn.
  setTimeout(() => {
    const problem = document.querySelector("main form :is([role=alert], [aria-invalid=true])");
    problem?.scrollIntoView({ block: "center" });
  }, 0);
}
