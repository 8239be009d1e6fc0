import { MailCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { formatPrice } from "@/lib/text/format";
import { Journey } from "./journey";
import { Sparkles } from "./sparkles";

export interface CompletedOrder {
  orderId: string;
  /** Sample data: there is no order to look at. */
  isSample?: boolean;
  designName: string;
  /** The shirt with the design, then its fallbacks. */
  pictures: (string | undefined)[];
  /** Shown while the first of them is on its way. */
  standIn?: ReactNode;
  lines: { name: string; quantity: number }[];
  /** In dollars. */
  total: number;
  country: string;
  email: string;
  addressLines: string[];
}

/** What a shopper sees once the order is paid. It takes the focus, as a page of its own would. */
export function OrderComplete({ order }: { order: CompletedOrder }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div className="shell py-10 sm:py-14">
      <h1 ref={heading} tabIndex={-1} className="display-2 mb-10 max-w-4xl outline-none">
        <Sparkles />
        <span className="sr-only">✨</span> Amazing! Your unique design is printing!
      </h1>
      <div className="grid items-start gap-8 lg:grid-cols-2 lg:gap-12">
        <ImageFrame
          eager
          sources={order.pictures}
          alt={`${order.designName} on your t-shirt`}
          standIn={order.standIn}
          size={800}
          empty="Preview unavailable"
          className="wipe-in rounded-card border border-line"
        />
        <div className="flex flex-col gap-6">
          <Journey order={order} />
          <Summary order={order} />
          <Card>
            <CardTitle className="mb-3">Shipping Address</CardTitle>
            <address className="not-italic">
              {order.addressLines.map((line) => (
                <span key={line} className="block wrap-anywhere">
                  {line}
                </span>
              ))}
            </address>
          </Card>
          <div role="status" className="flex gap-3 rounded-card border border-line bg-sunk p-5">
            <MailCheck aria-hidden="true" className="mt-1 size-5 shrink-0 text-mint-text" />
            <p>
              <strong className="block">Confirmation Email Sent!</strong>
              <span className="text-sm wrap-anywhere text-ink-soft">
                It is on its way to {order.email}. Not there in a few minutes? Check your spam
                folder.
              </span>
            </p>
          </div>
          <div className="flex flex-wrap gap-4">
            <Button asChild>
              <Link to="/dashboard">Back to Dashboard</Link>
            </Button>
            <Button asChild variant="secondary">
              <Link to="/design">Create Another Design</Link>
            </Button>
          </div>
        </div>
      </div>
    </div>
  );
}

function Summary({ order }: { order: CompletedOrder }) {
  return (
    <Card>
      <CardTitle className="mb-4">Order Summary</CardTitle>
      <p className="mb-3 line-clamp-2 font-semibold wrap-anywhere">{order.designName}</p>
      <ul className="flex flex-col gap-1.5 tabular-nums">
        {order.lines.map(({ name, quantity }) => (
          <li key={name} className="flex justify-between gap-4">
            <span>{name}</span>
            <span className="text-ink-soft">Quantity: {quantity}</span>
          </li>
        ))}
      </ul>
      <p className="mt-4 flex items-baseline justify-between border-t border-line pt-4 tabular-nums">
        <span className="font-display text-lg font-bold">Total</span>
        <span className="font-display text-2xl font-extrabold">{formatPrice(order.total)}</span>
      </p>
    </Card>
  );
}
