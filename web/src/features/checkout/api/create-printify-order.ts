/** create-printify-order: hands a paid order to the printer. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors";
import { invokeFunction } from "@/lib/invoke-function";
import type { OrderDraft } from "./create-payment-intent";

const schema = z.object({ success: z.optional(z.boolean()) });

export async function createPrintifyOrder(
  orderId: string,
  { address, lines, productId }: OrderDraft,
): Promise<void> {
  if (!productId) {
    throw new ServiceError("Design does not have a product associated", "no_product", undefined);
  }
  const { phone_country_code, phone, ...rest } = address;
  const response = await invokeFunction({
    slug: "create-printify-order",
    body: {
      orderId,
      shippingAddress: { ...rest, phone: `${phone_country_code}${phone}` },
      lineItems: lines.map(({ variant, quantity }) => ({
        product_id: productId,
        variant_id: variant.printify_variant_id,
        quantity,
      })),
    },
    schema,
  });
  if (response.success === false) {
    throw new ServiceError("The printer did not take the order.", "print_order_failed", undefined);
  }
}
