import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { shortId } from "@/lib/text/format";
import { policies } from "@/shop/owner-settings";
import { useCancelOrder } from "../api/cancel-order";

interface CancelOrderProps {
  order: { id: string; status: string; held_at: string | null };
}

export function CancelOrder({ order }: CancelOrderProps) {
  const [asking, setAsking] = useState(false);
  const cancel = useCancelOrder();
  const paid = order.status === "paid";

  // Awaited, because callbacks of mutate() fall silent when the button is gone, as it is once the order is cancelled.
  async function confirm() {
    try {
      const { refunded } = await cancel.mutateAsync(order.id);
      // Where the refund could not be made at once, the server makes it by itself.
      const moneyBack = paid || refunded;
      notify(
        "Order cancelled",
        !moneyBack
          ? "Nothing was charged."
          : order.held_at && !refunded
            ? "Your payment comes back to your card once your bank has settled its question."
            : `Your payment is on its way back to your card. That takes ${policies.refund_time}.`,
      );
    } catch (error) {
      notifyProblem(
        "Order not cancelled",
        errorMessage(error, "The order could not be cancelled. Please try again."),
      );
    }
  }

  return (
    <>
      <Button variant="danger" size="sm" busy={cancel.isPending} onClick={() => setAsking(true)}>
        {cancel.isPending ? "Cancelling..." : "Cancel order"}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this order?"
        description={
          paid
            ? `Order ${shortId(order.id, 8)} will not be printed, and the full amount goes back to your card.`
            : `Order ${shortId(order.id, 8)} will not be printed. It has not been paid.`
        }
        confirm="Yes, cancel it"
        dismiss="Keep the order"
        onConfirm={confirm}
      />
    </>
  );
}
