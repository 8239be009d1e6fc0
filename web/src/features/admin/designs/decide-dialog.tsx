import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Field, NativeSelect, Textarea } from "@/components/ui/field";
import { useKeptText } from "@/lib/drafts/use-drafts";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyInfo, notifyProblem } from "@/lib/errors/notify";
import { cleanText } from "@/lib/text/visible-text";
import { REPORT_REASONS, reportText } from "@/shop/designs/report-reasons";
import { type Decision, useDecideDesign } from "../designs-api/decide-design";
import type { DesignCase } from "../designs-api/get-design-case";

export type Question = Decision["decision"];

const WORDS = {
  keep: {
    title: "Keep this design?",
    text: "Nothing changes for anybody, and its reports are dealt with.",
    note: "Note for the record",
    button: "Keep it",
    done: "Design kept",
  },
  take_down: {
    title: "Take this design down?",
    text: "It leaves the gallery, and its link opens nothing. Nobody publishes, imports or orders it until it is restored, its owner included, who gets an email with the reason. Paid orders that are not in production wait for a decision of yours.",
    note: "What the owner should know",
    button: "Take it down",
    done: "Design taken down",
  },
  restore: {
    title: "Restore this design?",
    text: "Its link works again, it returns to the gallery if it was there, and its orders go on. Its owner gets an email.",
    note: "What the owner should know",
    button: "Restore it",
    done: "Design restored",
  },
} as const;

interface DecideDialogProps {
  design: DesignCase;
  /** Closed without one. */
  question: Question | undefined;
  copies: readonly string[];
  onClose: (decided: boolean) => void;
}

export function DecideDialog({ design, question, copies, onClose }: DecideDialogProps) {
  return (
    <Dialog
      open={question !== undefined}
      onOpenChange={(open) => (open ? undefined : onClose(false))}
    >
      {question ? (
        <DialogContent>
          <DecisionForm design={design} question={question} copies={copies} onClose={onClose} />
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

function DecisionForm({
  design,
  question,
  copies,
  onClose,
}: DecideDialogProps & { question: Question }) {
  const reported = design.reports.find((report) => report.is_open)?.reason ?? "";
  const [reason, setReason] = useState(reported);
  const [note, setNote] = useKeptText(`decide:${question}:${design.id}`);
  const decide = useDecideDesign();
  const words = WORDS[question];
  const withCopies = question !== "keep" && copies.length > 0;

  async function submit(event: FormEvent) {
    event.preventDefault();
    try {
      const changed = await decide.mutateAsync({
        designId: design.id,
        decision: question,
        ...(question === "take_down" ? { reason } : {}),
        note: cleanText(note),
        copies: withCopies ? [...copies] : [],
      });
      if (changed > 1) notify(words.done, `${changed - 1} of its copies with it.`);
      else if (changed === 1) notify(words.done, design.name.slice(0, 80));
      else notifyInfo("Decided already", "Another admin was first with this design.");
      onClose(true);
    } catch (error) {
      notifyProblem("Not decided", errorMessage(error, "Please try again."));
    }
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <DialogTitle>{words.title}</DialogTitle>
      <DialogDescription>
        {words.text}
        {withCopies
          ? ` The same for ${copies.length} ticked ${copies.length === 1 ? "copy" : "copies"}.`
          : null}
      </DialogDescription>
      {question === "take_down" ? (
        <Field label="Reason">
          {(ids) => (
            <NativeSelect
              {...ids}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              required
            >
              <option value="">Please choose</option>
              {REPORT_REASONS.map((each) => (
                <option key={each} value={each}>
                  {reportText(each)}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      ) : null}
      <Field label={words.note} hint="Optional, at most 1,000 characters. It stays on the record.">
        {(ids) => (
          <Textarea
            {...ids}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            maxLength={1000}
            rows={3}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={question === "take_down" ? "danger" : "primary"}
          busy={decide.isPending}
          disabled={question === "take_down" && !reason}
        >
          {words.button}
        </Button>
      </div>
    </form>
  );
}
