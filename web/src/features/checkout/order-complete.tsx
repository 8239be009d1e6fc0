import { Link } from "react-router-dom";
import { MessagePage } from "@/components/message-page";
import { OrderComplete } from "@/components/order-complete/order-complete";
import { PageTitle } from "@/components/page-title";
import { ShirtStandIn } from "@/components/shirt-stand-in";
import { Button } from "@/components/ui/button";
import { imageSource } from "@/lib/image-source";
import { findCountry } from "@/shop/countries";
import type { Design } from "@/shop/get-design";
import { mockupUrl } from "@/shop/mockup-url";
import { quote } from "@/shop/pricing";
import { type Address, labelLines } from "./address/address";
import { type OrderLine, totalQuantity } from "./sizes/quantities";

export interface PaidOrder {
  orderId: string;
  lines: OrderLine[];
  address: Address;
}

/** The confirmation of the order that was just paid. */
export function PaidOrderPage({ order, design }: { order: PaidOrder; design: Design }) {
  const { orderId, lines, address } = order;
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
  const mockup = design.printify_product_id
    ? mockupUrl({
        productId: design.printify_product_id,
        printifyVariantId: first.variant.printify_variant_id,
      })
    : undefined;
  return (
    <>
      <PageTitle>Order complete</PageTitle>
      <OrderComplete
        order={{
          orderId,
          designName: design.name,
          pictures: [mockup, imageSource(design.image_data), imageSource(design.thumbnail_data)],
          standIn: mockup ? (
            <ShirtStandIn
              pictures={[design.image_data, design.thumbnail_data]}
              color={first.variant.color_hex}
            />
          ) : undefined,
          lines: lines.map(({ variant, quantity }) => ({ name: variant.name, quantity })),
          total: quote(totalQuantity(lines), address.country).totalCents / 100,
          country: address.country,
          email: address.email,
          addressLines: labelLines(address, findCountry(address.country)?.name ?? address.country),
        }}
      />
    </>
  );
}
