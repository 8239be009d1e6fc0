import { type FormEvent, useState } from "react";
import { errorMessage } from "@/lib/errors/errors";
import { cleanText } from "@/lib/text/visible-text";
import { useReportDesign } from "@/shop/designs/report-design";
import { REPORT_REASONS, type ReportReason, reportText } from "@/shop/designs/report-reasons";
import { SUPPORT_EMAIL } from "@/shop/support";
import { Button } from "../ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../ui/dialog";
import { Field, Textarea } from "../ui/field";

interface ReportDialogProps {
  designId: string;
  linkKey: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ReportDialog({ open, onOpenChange, ...design }: ReportDialogProps) {
  const report = useReportDesign();
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        {report.isSuccess ? (
          <>
            <DialogTitle>Thank you</DialogTitle>
            <DialogDescription role="status">
              Your report has arrived. A person at Teesmith looks at the design and decides. Nobody
              learns that it was you who reported it.
            </DialogDescription>
            <Button className="self-end" onClick={() => onOpenChange(false)}>
              Close
            </Button>
          </>
        ) : (
          <ReportForm design={design} report={report} onCancel={() => onOpenChange(false)} />
        )}
      </DialogContent>
    </Dialog>
  );
}

interface ReportFormProps {
  design: { designId: string; linkKey: string | null };
  report: ReturnType<typeof useReportDesign>;
  onCancel: () => void;
}

function ReportForm({ design, report, onCancel }: ReportFormProps) {
  const [reason, setReason] = useState<ReportReason>();
  const [words, setWords] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason) report.mutate({ ...design, reason, words: cleanText(words) });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <DialogTitle>Report this design</DialogTitle>
      <DialogDescription>
        You need no account, and nobody learns who reported. Is it about your own work or your
        picture? Then tell us how we can check that, or write to{" "}
        <a className="text-cobalt-text underline" href={`mailto:${SUPPORT_EMAIL}`}>
          {SUPPORT_EMAIL}
        </a>
        .
      </DialogDescription>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-semibold">What is wrong with it?</legend>
        {REPORT_REASONS.map((each) => (
          <label key={each} className="flex min-h-8 items-center gap-3">
            <input
              type="radio"
              name="reason"
              value={each}
              checked={reason === each}
              onChange={() => setReason(each)}
              className="size-5 shrink-0 accent-ink"
            />
            {reportText(each)}
          </label>
        ))}
      </fieldset>
      <Field label="In your words" hint="Optional, at most 1,000 characters.">
        {(ids) => (
          <Textarea
            {...ids}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            maxLength={1000}
            rows={3}
          />
        )}
      </Field>
      {report.isError ? (
        <p role="alert" className="text-sm font-medium text-tomato-text">
          {errorMessage(report.error, "Your report could not be sent. Please try again.")}
        </p>
      ) : null}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={report.isPending} disabled={!reason}>
          {report.isPending ? "Sending..." : "Send report"}
        </Button>
      </div>
    </form>
  );
}
