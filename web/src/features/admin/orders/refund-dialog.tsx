import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import { useKeptText } from "@/lib/drafts/use-drafts";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { formatPrice, shortId } from "@/lib/text/format";
import { cleanText, isBlank } from "@/lib/text/visible-text";
import { useRefundOrder } from "../api/refund-order";

interface RefundDialogProps {
  order: { id: string; total: number; refunded: number };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Money goes back only with a reason, which stays on the record. */
export function RefundDialog({ order, open, onOpenChange }: RefundDialogProps) {
  const [reason, setReason] = useKeptText(`refund:${order.id}`);
  const refund = useRefundOrder();
  const number = shortId(order.id, 6);
  const left = formatPrice(order.total - order.refunded);

  async function submit(event: FormEvent) {
    event.preventDefault();
    try {
      await refund.mutateAsync({ orderId: order.id, reason: cleanText(reason) });
      notify("Order refunded", `${left} of ${number} is on its way back.`);
      onOpenChange(false);
    } catch (error) {
      notifyProblem(
        "Refund failed",
        errorMessage(error, "The order could not be refunded. Please try again."),
      );
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogTitle>Refund {number}?</DialogTitle>
        <DialogDescription>
          {left} goes back to the shopper's card. The returns policy allows it for damaged,
          defective, wrong or misprinted items.
        </DialogDescription>
        <form onSubmit={submit} className="flex flex-col gap-5">
          <Field label="Reason">
            {(ids) => (
              <Textarea
                {...ids}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                maxLength={500}
                rows={3}
                placeholder="The print came out two inches to the left; photo received"
              />
            )}
          </Field>
          <div className="flex justify-end gap-3">
            <Button variant="secondary" onClick={() => onOpenChange(false)}>
              Keep the payment
            </Button>
            <Button
              type="submit"
              variant="danger"
              busy={refund.isPending}
              disabled={isBlank(reason)}
            >
              {refund.isPending ? "Refunding..." : "Refund"}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}
