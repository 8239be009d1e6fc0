import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFlaggedOrders } from "../api/list-flagged-orders";
import { AdminList } from "../components/admin-list";
import { LIST_LIMIT } from "../limits";
import { useHeadingFocus } from "../use-heading-focus";
import { FlaggedHeads, FlaggedOrderRow } from "./flagged-order-row";

/** The function's limit: the orders that wait longest come first. */
const MOST = 500;

/** Orders that need a person, above all others. */
export function FlaggedOrders() {
  const [most, setMost] = useState(LIST_LIMIT);
  const flagged = useFlaggedOrders(most);
  const orders = flagged.data?.orders ?? [];
  const total = flagged.data?.total ?? 0;

  const heading = useHeadingFocus(orders);

  return (
    <section aria-labelledby="flagged-orders" className="flex flex-col gap-3">
      <h2 id="flagged-orders" ref={heading} tabIndex={-1} className="text-xl tracking-tight">
        Need a person
      </h2>
      {flagged.data && total === 0 ? (
        <p className="rounded-card border border-line bg-raised px-5 py-4 text-ink-soft">
          No order needs a person. Everything runs by itself.
        </p>
      ) : (
        <AdminList
          query={flagged}
          problem="Error loading orders that need a person"
          empty="No order needs a person."
          loading="Loading orders that need a person..."
          header={<FlaggedHeads />}
        >
          {orders.map((order) => (
            <FlaggedOrderRow key={order.id} order={order} />
          ))}
        </AdminList>
      )}
      {orders.length > 0 && total > orders.length ? (
        <div className="flex flex-wrap items-center gap-4">
          <p className="text-sm text-ink-soft">
            {orders.length} of {total >= 1000 ? "1,000 or more" : total} shown
          </p>
          {most < MOST ? (
            <Button
              variant="secondary"
              size="sm"
              busy={flagged.isFetching}
              onClick={() => setMost(Math.min(MOST, most + 2 * LIST_LIMIT))}
            >
              Show more
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
