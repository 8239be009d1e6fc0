import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import { useKeptText } from "@/lib/drafts/use-drafts";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyInfo, notifyProblem } from "@/lib/errors/notify";
import { shortId } from "@/lib/text/format";
import { cleanText, isBlank } from "@/lib/text/visible-text";
import { useResolveOrderFlags } from "../api/resolve-order-flags";

interface ResolveDialogProps {
  orderId: string;
  flags: string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A flag is resolved only with a note, which stays on the record with the admin's name. */
export function ResolveDialog({ orderId, flags, open, onOpenChange }: ResolveDialogProps) {
  const [note, setNote] = useKeptText(`resolve:${orderId}`);
  const resolve = useResolveOrderFlags();
  const number = shortId(orderId, 6);

  async function submit(event: FormEvent) {
    event.preventDefault();
    try {
      const resolved = await resolve.mutateAsync({ orderId, flags, note: cleanText(note) });
      if (resolved) notify("Marked as resolved", `Order ${number} no longer needs a person.`);
      else notifyInfo("Already resolved", `Another admin was first with order ${number}.`);
      onOpenChange(false);
    } catch (error) {
      notifyProblem("Not resolved", errorMessage(error, "Please try again."));
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogTitle>Mark {number} as resolved?</DialogTitle>
        <DialogDescription>
          Nothing is sent or retried: the order only leaves this list.
        </DialogDescription>
        <form onSubmit={submit} className="flex flex-col gap-5">
          <Field label="Note">
            {(ids) => (
              <Textarea
                {...ids}
                value={note}
                onChange={(event) => setNote(event.target.value)}
                maxLength={500}
                rows={3}
                placeholder="Talked to the printer; they print it again"
              />
            )}
          </Field>
          <div className="flex justify-end gap-3">
            <Button variant="secondary" onClick={() => onOpenChange(false)}>
              Leave it open
            </Button>
            <Button type="submit" busy={resolve.isPending} disabled={isBlank(note)}>
              Mark as resolved
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}
