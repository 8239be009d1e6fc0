import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { OrderStatusBadge } from "@/components/order/order-status-badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/text/cn";
import { capitalise, formatMoment, formatPrice, shortId } from "@/lib/text/format";
import { revealText } from "@/lib/text/visible-text";
import type { FlaggedOrder } from "../api/list-flagged-orders";
import { Cell, ColumnHeads } from "../components/columns";
import { OrderRecordPanel } from "./order-record";
import { reasonText } from "./order-words";

const COLUMNS = "lg:grid-cols-[5rem_minmax(11rem,3fr)_13rem_minmax(8rem,1fr)_7rem_5.5rem_6.5rem]";

export function FlaggedHeads() {
  return (
    <ColumnHeads
      className={COLUMNS}
      heads={["Order", "Reason", "Since", "Customer", "Status", "Total", "Action"]}
    />
  );
}

export function FlaggedOrderRow({ order }: { order: FlaggedOrder }) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const number = shortId(order.id, 6);
  return (
    <li>
      <div className={`grid grid-cols-2 items-center gap-x-4 gap-y-3 px-4 py-3 ${COLUMNS}`}>
        <Cell label="Order" className="font-semibold">
          {number}
        </Cell>
        <Cell label="Reason" className="col-span-2 lg:col-span-1">
          {order.reasons.map((reason) => (
            <span key={reason} className="block">
              {capitalise(reasonText(reason))}
            </span>
          ))}
        </Cell>
        <Cell label="Since">{formatMoment(order.since)}</Cell>
        <Cell label="Customer">
          <span className="block truncate">{revealText(order.customer)}</span>
        </Cell>
        <Cell label="Status">
          <OrderStatusBadge status={order.status} />
        </Cell>
        <Cell label="Total" className="font-semibold">
          {formatPrice(order.total)}
        </Cell>
        <div className="col-span-2 lg:col-span-1">
          <Button
            variant="secondary"
            size="sm"
            aria-label={`${open ? "Close" : "Open"} ${number}`}
            aria-expanded={open}
            aria-controls={panel}
            onClick={() => setOpen(!open)}
          >
            {open ? "Close" : "Open"}
            <ChevronDown
              aria-hidden="true"
              className={cn(
                "transition-transform motion-reduce:transition-none",
                open && "rotate-180",
              )}
            />
          </Button>
        </div>
      </div>
      <div id={panel} hidden={!open}>
        {open ? <OrderRecordPanel orderId={order.id} /> : null}
      </div>
    </li>
  );
}
