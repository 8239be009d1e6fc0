import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Variations } from "@/components/variations/variations";
import { FailurePanel } from "../components/failure-panel";
import { GeneratingPanel } from "../components/generating-panel";
import { ResultPanel } from "../components/result-panel";
import { WizardPage } from "../components/wizard-page";
import type { useDesignWizard, WizardForm } from "./use-design-wizard";
import { useHasPassed } from "./use-has-passed";

export interface WizardTexts {
  title: string;
  steps: readonly [string, string, string];
  generating: string;
  failed: string;
  result: string;
  resultFailed: string;
  save: string;
}

interface WizardFlowProps<F extends WizardForm> {
  texts: WizardTexts;
  flow: ReturnType<typeof useDesignWizard<F>>;
  /** Step 1. */
  children: ReactNode;
}

/** The three steps of both wizards, which differ in their forms and their words. */
export function WizardFlow<F extends WizardForm>({ texts, flow, children }: WizardFlowProps<F>) {
  const { wizard, color } = flow;
  const mayRetry = useHasPassed(wizard.retryAt);
  return (
    <WizardPage title={texts.title} steps={texts.steps} step={wizard.step}>
      {wizard.step === 1 ? children : null}
      {wizard.step === 2 && wizard.error ? (
        <FailurePanel title={texts.failed} message={wizard.error}>
          <Button onClick={wizard.retry} disabled={!mayRetry}>
            Try Again
          </Button>
          <Button variant="secondary" onClick={wizard.leave}>
            Back to Form
          </Button>
        </FailurePanel>
      ) : null}
      {wizard.step === 2 && !wizard.error ? (
        <GeneratingPanel
          title={texts.generating}
          shirtHex={color?.hex ?? "#ffffff"}
          loading={wizard.loading}
          elapsed={wizard.elapsed}
        />
      ) : null}
      {wizard.step === 3 ? (
        <ResultPanel
          title={texts.result}
          failureTitle={texts.resultFailed}
          saveLabel={texts.save}
          image={wizard.image}
          error={wizard.error}
          color={color}
          suggestedName={flow.suggestedName}
          saving={flow.saving}
          sent={flow.sent}
          onSave={flow.save}
          onStartOver={flow.startOver}
          onRetry={wizard.retry}
          onBroken={() => wizard.fail("The picture arrived damaged.")}
        >
          <Variations {...flow.variations} cloth={color?.hex ?? "#ffffff"} disabled={flow.saving} />
        </ResultPanel>
      ) : null}
    </WizardPage>
  );
}
