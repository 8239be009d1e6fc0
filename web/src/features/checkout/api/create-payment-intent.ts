/**
 * create-payment-intent: places the order as pending and prepares its payment. The server computes the amount
 * itself and rejects a different one.
 */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { quote, shirtCents } from "@/shop/catalog/pricing";
import { colorName, sizeName } from "@/shop/catalog/variants";
import type { Design } from "@/shop/designs/get-design";
import { mockupUrl } from "@/shop/designs/mockup-url";
import type { Address } from "@/shop/orders/shipping-address";
import type { OrderLine } from "../sizes/quantities";

const schema = z.object({ client_secret: z.string(), order_id: z.string() });

export type PaymentIntent = z.infer<typeof schema>;

export interface OrderDraft {
  design: Design;
  productId: string;
  lines: OrderLine[];
  address: Address;
}

export function paymentBody({ design, productId, lines, address }: OrderDraft) {
  const { quantity, totalCents, shippingCents } = quote(
    lines.reduce((sum, line) => sum + line.quantity, 0),
    address.country,
    design.has_back,
  );
  return {
    amount: totalCents,
    currency: "usd",
    shipping_address: address,
    order_details: {
      total_quantity: quantity,
      product_price: shirtCents(design.has_back) / 100,
      shipping_cost: shippingCents / 100,
    },
    design_info: {
      id: design.id,
      name: design.name,
      // The small picture: the server has the full one already.
      image_data: design.thumbnail_data ?? "",
      printify_product_id: productId,
    },
    order_items: lines.map(({ variant, quantity: count }) => ({
      id: variant.id,
      name: design.name,
      color: colorName(variant.name),
      size: sizeName(variant.name),
      printify_variant_id: variant.printify_variant_id,
      product_id: productId,
      quantity: count,
      image_url: mockupUrl({ productId, printifyVariantId: variant.printify_variant_id }),
    })),
  };
}

export function createPaymentIntent(body: ReturnType<typeof paymentBody>): Promise<PaymentIntent> {
  return invokeFunction({ slug: "create-payment-intent", body, schema });
}
