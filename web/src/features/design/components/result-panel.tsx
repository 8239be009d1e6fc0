import { type ReactNode, useState } from "react";
import { ShirtPreview } from "@/components/shirt-preview";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { imageSource } from "@/lib/browser/image-source";
import type { ColorGroup } from "@/shop/catalog/variants";
import { FailurePanel } from "./failure-panel";
import { MakerNote } from "./maker-note";
import { PrintNote } from "./print-note";

const LONGEST_NAME = 200;

interface ResultPanelProps {
  title: string;
  failureTitle: string;
  saveLabel: string;
  image: string | null;
  error: string | null;
  color: ColorGroup | undefined;
  /** Offered to be replaced; undefined where the design has a name that says what it is. */
  suggestedName: string | undefined;
  saving: boolean;
  /** How much of the picture has been sent, from 0 to 1. */
  sent: number;
  onSave: (image: string, name: string) => void;
  onStartOver: () => void;
  onRetry: () => void;
  onBroken: () => void;
  /** Below: what else there is of the idea. */
  children?: ReactNode;
}

/** Step 3: the design on its shirt, to keep or to try again. */
export function ResultPanel(props: ResultPanelProps) {
  const { image, error } = props;
  const [name, setName] = useState("");
  if (error) {
    return (
      <FailurePanel title={props.failureTitle} message={error}>
        <Button onClick={props.onRetry}>Try Again</Button>
      </FailurePanel>
    );
  }
  if (!image) {
    return (
      <FailurePanel title="No design generated yet.">
        <Button onClick={props.onStartOver}>Go Back</Button>
      </FailurePanel>
    );
  }
  const source = imageSource(image) ?? "";
  return (
    <div className="flex flex-col gap-12">
      <div className="grid items-center gap-10 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-16">
        <div className="halftone rounded-card border border-line bg-sunk p-6 [--dot:var(--line)] sm:p-10">
          <ShirtPreview
            color={props.color?.hex ?? "#ffffff"}
            picture={source}
            alt="Your generated design"
            onBroken={props.onBroken}
            reveal
            className="mx-auto max-w-md"
          />
        </div>
        <div className="flex flex-col items-start gap-5">
          <h2 className="display-2">{props.title}</h2>
          <p className="max-w-md text-lg text-ink-soft">
            {props.color ? `Drawn for a ${props.color.name} shirt. ` : ""}Keep it, and we'll prepare
            it for print. Not quite what you had in mind? Start over: designing is free.
          </p>
          <MakerNote image={image} />
          <PrintNote source={source} />
          {props.suggestedName ? (
            <Field
              label="Name your design"
              hint="In the gallery, designs are found by their names."
              className="w-full max-w-md"
            >
              {(ids) => (
                <Input
                  {...ids}
                  value={name}
                  maxLength={LONGEST_NAME}
                  placeholder={props.suggestedName}
                  disabled={props.saving}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
          ) : null}
          <div className="flex flex-wrap gap-4">
            <Button size="lg" busy={props.saving} onClick={() => props.onSave(image, name)}>
              {props.saving ? "Saving..." : props.saveLabel}
            </Button>
            <Button
              size="lg"
              variant="secondary"
              disabled={props.saving}
              onClick={props.onStartOver}
            >
              Start Over
            </Button>
          </div>
          <p className="max-w-md text-sm text-ink-soft">
            Saving is free and orders nothing: next you see the shirt from all sides, and choose
            your size.
          </p>
          {/* A quick upload is over before there is anything to show. */}
          {props.saving && props.sent > 0 && props.sent < 1 ? (
            <progress
              aria-label="Saving..."
              value={props.sent}
              className="h-2 w-full max-w-md accent-cobalt"
            />
          ) : null}
        </div>
      </div>
      {props.children}
    </div>
  );
}
