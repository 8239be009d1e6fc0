import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { shortId } from "@/lib/text/format";
import { mayCancel } from "@/shop/orders/order-timeline";
import { useCancelOrder } from "../api/cancel-order";
import type { OrderRecord } from "../api/get-order-record";
import { useReleaseHeldOrder } from "../api/release-held-order";
import { useRetryOrder } from "../api/retry-order";
import { useRevokeOrderLink } from "../api/revoke-order-link";
import { RefundDialog } from "./refund-dialog";
import { ResolveDialog } from "./resolve-dialog";

type Question = "refund" | "cancel" | "resolve" | "revoke" | "release";

/** An admin's actions on an order. Each reports its outcome and reloads the lists. */
export function OrderActions({ record }: { record: OrderRecord }) {
  const [asking, setAsking] = useState<Question>();
  const retry = useRetryOrder();
  const cancel = useCancelOrder();
  const revoke = useRevokeOrderLink();
  const release = useReleaseHeldOrder();
  const number = shortId(record.id, 6);
  const unresolved = record.flags.filter((flag) => !flag.resolved_at);
  // Printing or cancelling such an order resolves its flag, and nothing else does.
  const waits =
    unresolved.some((flag) => flag.reason === "design_taken_down") && record.status === "paid";
  const openFlags = unresolved
    .filter((flag) => !waits || flag.reason !== "design_taken_down")
    .map((flag) => flag.id);
  const gaveUp = [...record.jobs, ...record.messages].some((each) => each.gave_up_at !== null);
  const dialog = (question: Question) => ({
    open: asking === question,
    onOpenChange: (open: boolean) => setAsking(open ? question : undefined),
  });

  // Awaited, because callbacks of mutate() fall silent when the order has left the list.
  async function act(work: () => Promise<unknown>, done: string, text: string, failed: string) {
    try {
      await work();
      notify(done, text);
    } catch (error) {
      notifyProblem(failed, errorMessage(error, "Please try again."));
    }
  }

  return (
    <div className="flex flex-wrap gap-3">
      {gaveUp ? (
        <Button
          size="sm"
          busy={retry.isPending}
          onClick={() =>
            act(
              () => retry.mutateAsync(record.id),
              "Retrying",
              `What failed for order ${number} is due again; the next sweep takes it up within a minute.`,
              "Not retried",
            )
          }
        >
          Retry
        </Button>
      ) : null}
      {waits ? (
        <Button size="sm" busy={release.isPending} onClick={() => setAsking("release")}>
          Print it after all
        </Button>
      ) : null}
      {record.paid_at && record.refunded < record.total ? (
        <Button variant="secondary" size="sm" onClick={() => setAsking("refund")}>
          Refund
        </Button>
      ) : null}
      {mayCancel(record.status) ? (
        <Button
          variant="secondary"
          size="sm"
          busy={cancel.isPending}
          onClick={() => setAsking("cancel")}
        >
          Cancel order
        </Button>
      ) : null}
      {openFlags.length > 0 ? (
        <Button variant="secondary" size="sm" onClick={() => setAsking("resolve")}>
          Mark as resolved
        </Button>
      ) : null}
      <Button variant="ghost" size="sm" busy={revoke.isPending} onClick={() => setAsking("revoke")}>
        End its email links
      </Button>
      <RefundDialog order={record} {...dialog("refund")} />
      <ResolveDialog orderId={record.id} flags={openFlags} {...dialog("resolve")} />
      <ConfirmDialog
        {...dialog("release")}
        title={`Print order ${number}?`}
        description="Its design stays taken down: only this order is printed and sent."
        confirm="Yes, print it"
        dismiss="Let it wait"
        onConfirm={() =>
          act(
            () => release.mutateAsync(record.id),
            "Order released",
            `Order ${number} goes to the printer within a minute.`,
            "Order not released",
          )
        }
      />
      <ConfirmDialog
        {...dialog("cancel")}
        title={`Cancel order ${number}?`}
        description="Nothing of it will be printed, and what was paid goes back to the card. The customer gets an email."
        confirm="Yes, cancel it"
        dismiss="Leave the order"
        onConfirm={() =>
          act(
            () => cancel.mutateAsync(record.id),
            "Order cancelled",
            `Order ${number} will not be printed.`,
            "Order not cancelled",
          )
        }
      />
      <ConfirmDialog
        {...dialog("revoke")}
        title={`End the links in emails about ${number}?`}
        description="They open the order's status without signing in. The next email carries a new link; the customer's account is not affected."
        confirm="End the links"
        dismiss="Leave them"
        onConfirm={() =>
          act(
            () => revoke.mutateAsync(record.id),
            "Links ended",
            `Links in emails about order ${number} open nothing any more.`,
            "Links not ended",
          )
        }
      />
    </div>
  );
}
