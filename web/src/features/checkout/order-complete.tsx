import { Check, MailCheck, Printer } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { formatPrice, shortId } from "@/lib/format";
import { imageSource } from "@/lib/image-source";
import type { Design } from "@/lib/shop/get-design";
import { mockupUrl } from "@/lib/shop/mockup-url";
import { deliveryEstimate, quote } from "@/lib/shop/pricing";
import type { Address } from "./address/address";
import { findCountry } from "./address/countries";
import { type OrderLine, totalQuantity } from "./sizes/quantities";

export interface CompletedOrder {
  orderId: string;
  lines: OrderLine[];
  address: Address;
}

export function OrderComplete({ order, design }: { order: CompletedOrder; design: Design }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus();
  }, []);

  const { lines, address } = order;
  const first = lines[0];
  if (!first) {
    return (
      <MessagePage
        title="Order Processing Error"
        text="There was an issue processing your order. Please contact support."
      >
        <Button asChild>
          <Link to="/dashboard">Back to Dashboard</Link>
        </Button>
      </MessagePage>
    );
  }
  const price = quote(totalQuantity(lines), address.country);
  const mockup = design.printify_product_id
    ? mockupUrl({
        productId: design.printify_product_id,
        printifyVariantId: first.variant.printify_variant_id,
      })
    : undefined;

  return (
    <div className="shell py-10 sm:py-14">
      <PageTitle>Order complete</PageTitle>
      <h1 ref={heading} tabIndex={-1} className="display-2 mb-10 max-w-4xl outline-none">
        <Sparkles />
        <span className="sr-only">✨</span> Amazing! Your unique design is printing!
      </h1>
      <div className="grid items-start gap-8 lg:grid-cols-2 lg:gap-12">
        <ImageFrame
          eager
          sources={[mockup, imageSource(design.image_data), imageSource(design.thumbnail_data)]}
          alt={`${design.name} on your t-shirt`}
          size={800}
          empty="Preview unavailable"
          className="wipe-in rounded-card border border-line"
        />
        <div className="flex flex-col gap-6">
          <Journey orderId={order.orderId} country={address.country} />
          <Card>
            <CardTitle className="mb-4">Order Summary</CardTitle>
            <p className="mb-3 line-clamp-2 font-semibold">{design.name}</p>
            <ul className="flex flex-col gap-1.5 tabular-nums">
              {lines.map(({ variant, quantity }) => (
                <li key={variant.id} className="flex justify-between gap-4">
                  <span>{variant.name}</span>
                  <span className="text-ink-soft">Quantity: {quantity}</span>
                </li>
              ))}
            </ul>
            <p className="mt-4 flex items-baseline justify-between border-t border-line pt-4 tabular-nums">
              <span className="font-display text-lg font-bold">Total</span>
              <span className="font-display text-2xl font-extrabold">
                {formatPrice(price.totalCents / 100)}
              </span>
            </p>
          </Card>
          <Card>
            <CardTitle className="mb-3">Shipping Address</CardTitle>
            <AddressLines address={address} />
          </Card>
          <div role="status" className="flex gap-3 rounded-card border border-line bg-sunk p-5">
            <MailCheck aria-hidden="true" className="mt-1 size-5 shrink-0 text-mint-text" />
            <p>
              <strong className="block">Confirmation Email Sent!</strong>
              <span className="text-sm text-ink-soft">
                It is on its way to {address.email}. Not there in a few minutes? Check your spam
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

/** The title's ✨, drawn: not every machine has a font for it. */
function Sparkles() {
  return (
    <svg
      viewBox="0 0 40 40"
      aria-hidden="true"
      className="mr-1 inline size-[0.85em] align-[-0.06em]"
    >
      <path
        d="M17 4c2 10 5 13 15 15-10 2-13 5-15 15-2-10-5-13-15-15 10-2 13-5 15-15Z"
        fill="var(--sunflower)"
      />
      <path
        d="M33 2c.8 4 2 5.200 6 6-4 .8-5.200 2-6 6-.8-4-2-5.200-6-6 4-.8 5.200-2 6-6Z"
        fill="var(--tomato)"
      />
      <path
        d="M32 27c.7 3.300 1.700 4.300 5 5-3.300.7-4.300 1.700-5 5-.7-3.300-1.700-4.300-5-5 3.300-.7 4.300-1.700 5-5Z"
        fill="var(--cobalt)"
      />
    </svg>
  );
}

function Journey({ orderId, country }: { orderId: string; country: string }) {
  const icon = "mt-0.5 grid size-8 shrink-0 place-items-center rounded-full text-[#1b1714]";
  return (
    <ol aria-label="Your order's journey" className="flex flex-col gap-5">
      <li className="flex gap-4">
        <span aria-hidden="true" className={`${icon} bg-mint`}>
          <Check className="size-4.5" strokeWidth={3} />
        </span>
        <p>
          <strong className="block">Order confirmed</strong>
          <span className="text-ink-soft">
            Your payment is in, and your order number is{" "}
            <Link
              to={`/order-details/${orderId}`}
              className="font-semibold text-cobalt-text underline underline-offset-4"
            >
              {shortId(orderId, 6)}
            </Link>
            .
          </span>
        </p>
      </li>
      <li className="flex gap-4">
        <span aria-hidden="true" className={`${icon} bg-sunflower`}>
          <Printer className="size-4.5" />
        </span>
        <p>
          <strong className="block">Printing, then on its way</strong>
          <span className="text-ink-soft">Estimated delivery: {deliveryEstimate(country)}</span>
        </p>
      </li>
    </ol>
  );
}

function AddressLines({ address }: { address: Address }) {
  const lines = [
    `${address.first_name} ${address.last_name}`,
    address.address1,
    address.address2,
    [address.city, address.region, address.zip].filter(Boolean).join(", "),
    findCountry(address.country)?.name ?? address.country,
  ].filter(Boolean);
  return (
    <address className="not-italic">
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}
