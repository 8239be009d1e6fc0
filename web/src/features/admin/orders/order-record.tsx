import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { getEnv } from "@/lib/env";
import { errorMessage } from "@/lib/errors/errors";
import { capitalise, formatMoment, shortId } from "@/lib/text/format";
import { revealText } from "@/lib/text/visible-text";
import { addressLines } from "@/shop/orders/shipping-address";
import { type OrderRecord, useOrderRecord } from "../api/get-order-record";
import { OrderActions } from "./order-actions";
import { eventText, jobText, messageText, reasonText } from "./order-words";
import { PrintFiles } from "./print-files";
import { PRINTIFY_ORDERS_URL, stripePaymentUrl } from "./vendor-links";

/** An order's full record with the actions on it. */
export function OrderRecordPanel({ orderId }: { orderId: string }) {
  const record = useOrderRecord(orderId);
  if (record.isPending) {
    return (
      <div role="status" className="px-4 pb-5">
        <span className="sr-only">Loading the order...</span>
        <Skeleton className="h-40 w-full" />
      </div>
    );
  }
  if (record.isLoadingError) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-4 px-4 pb-5">
        <p>{errorMessage(record.error, "The order could not be loaded.")}</p>
        <Button
          variant="secondary"
          size="sm"
          busy={record.isFetching}
          onClick={() => record.refetch()}
        >
          Try Again
        </Button>
      </div>
    );
  }
  return <Sheet record={record.data} />;
}

function Sheet({ record }: { record: OrderRecord }) {
  return (
    <section
      aria-label={`Order ${shortId(record.id, 6)}`}
      className="flex flex-col gap-6 border-t border-line bg-paper px-4 py-5"
    >
      <OrderActions record={record} />
      <div className="grid gap-6 lg:grid-cols-2">
        <Part title="Flags">
          {record.flags.map((flag) => (
            <Entry
              key={flag.id}
              title={capitalise(reasonText(flag.reason))}
              state={flag.resolved_at ? `Resolved ${formatMoment(flag.resolved_at)}` : "Open"}
              text={flag.details}
              at={flag.created_at}
            />
          ))}
        </Part>
        <Part title="Order">
          <li>
            {addressLines(record.shipping_address).map((line) => (
              <span key={line} className="block wrap-anywhere">
                {revealText(line)}
              </span>
            ))}
          </li>
          <Vendors record={record} />
          <li>
            <PrintFiles orderId={record.id} />
          </li>
        </Part>
        <Part title="Jobs">
          {record.jobs.map((job) => (
            <Entry
              key={job.kind}
              title={jobText(job.kind)}
              state={state(job, job.done_at && `Done ${formatMoment(job.done_at)}`)}
              text={job.last_error}
            />
          ))}
        </Part>
        <Part title="Messages">
          {record.messages.map((message) => (
            <Entry
              key={`${message.channel} ${message.kind}`}
              title={messageText(message.channel, message.kind)}
              state={state(message, message.sent_at && `Sent ${formatMoment(message.sent_at)}`)}
              text={message.last_error}
            />
          ))}
        </Part>
      </div>
      <Part title="What happened" ordered>
        {record.events.map((event) => (
          <li key={event.id} className="grid gap-x-4 sm:grid-cols-[12.5rem_1fr]">
            <span className="text-ink-soft tabular-nums">{formatMoment(event.created_at)}</span>
            <span className="wrap-anywhere">
              {revealText(eventText(event))}
              {event.actor ? (
                <span className="text-ink-soft"> (by {revealText(event.actor)})</span>
              ) : null}
            </span>
          </li>
        ))}
      </Part>
    </section>
  );
}

interface Attempted {
  attempts: number;
  due_at: string;
  gave_up_at: string | null;
}

function state({ attempts, due_at, gave_up_at }: Attempted, done: string | null): string {
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  if (done) return `${done}, ${tries}`;
  if (gave_up_at) return `Given up ${formatMoment(gave_up_at)} after ${tries}`;
  return `Next try ${formatMoment(due_at)}, ${tries} so far`;
}

function Vendors({ record }: { record: OrderRecord }) {
  const { payment_intent_id: intent, printify_order_id: printed } = record;
  return (
    <>
      <li>
        {intent ? (
          <VendorLink href={stripePaymentUrl(intent, getEnv().STRIPE_PUBLISHABLE_KEY)}>
            Payment at Stripe
          </VendorLink>
        ) : (
          "No payment"
        )}
        {intent ? <code className="block wrap-anywhere text-ink-soft">{intent}</code> : null}
      </li>
      <li>
        {printed ? (
          <VendorLink href={PRINTIFY_ORDERS_URL}>Orders at Printify</VendorLink>
        ) : (
          "No print order"
        )}
        {printed ? <code className="block wrap-anywhere text-ink-soft">{printed}</code> : null}
      </li>
    </>
  );
}

function VendorLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="text-cobalt-text underline underline-offset-4"
    >
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

interface PartProps {
  title: string;
  ordered?: boolean;
  children: ReactNode;
}

function Part({ title, ordered = false, children }: PartProps) {
  const List = ordered ? "ol" : "ul";
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-base tracking-tight">{title}</h3>
      <List className="flex flex-col gap-2.5">{children}</List>
    </div>
  );
}

interface EntryProps {
  title: string;
  state: string;
  text: string | null;
  at?: string;
}

function Entry({ title, state: shown, text, at }: EntryProps) {
  return (
    <li>
      <span className="block font-semibold">{title}</span>
      <span className="block text-ink-soft tabular-nums">
        {at ? `${formatMoment(at)} · ` : ""}
        {shown}
      </span>
      {text ? <span className="block wrap-anywhere">{revealText(text)}</span> : null}
    </li>
  );
}
