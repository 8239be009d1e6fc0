import { Check, Printer } from "lucide-react";
import { Link } from "react-router-dom";
import { shortId } from "@/lib/text/format";
import { deliveryEstimate } from "@/shop/catalog/pricing";

interface JourneyProps {
  order: { orderId: string; country: string; isSample?: boolean };
}

export function Journey({ order }: JourneyProps) {
  const number = shortId(order.orderId, 6);
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
            {order.isSample ? (
              <strong className="text-ink">{number}</strong>
            ) : (
              <Link
                to={`/order-details/${order.orderId}`}
                className="font-semibold text-cobalt-text underline underline-offset-4"
              >
                {number}
              </Link>
            )}{" "}
            ({shortId(order.orderId, 8)} on the order's own page).
          </span>
        </p>
      </li>
      <li className="flex gap-4">
        <span aria-hidden="true" className={`${icon} bg-sunflower`}>
          <Printer className="size-4.5" />
        </span>
        <p>
          <strong className="block">Printing, then on its way</strong>
          <span className="text-ink-soft">
            Estimated delivery: {deliveryEstimate(order.country)}
          </span>
        </p>
      </li>
    </ol>
  );
}
