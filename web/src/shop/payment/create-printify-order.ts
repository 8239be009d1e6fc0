/** create-printify-order: hands a paid order to the printer. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { type Address, dialledPhone } from "@/shop/orders/shipping-address";

const schema = z.object({ success: z.optional(z.boolean()) });

export interface PrintLine {
  product_id: string;
  variant_id: number;
  quantity: number;
}

export async function createPrintifyOrder(
  orderId: string,
  address: Address,
  lineItems: PrintLine[],
): Promise<void> {
  if (!lineItems.every((line) => line.product_id)) {
    throw new ServiceError("Design does not have a product associated", "no_product", undefined);
  }
  const { phone_country_code: _code, ...rest } = address;
  const response = await invokeFunction({
    slug: "create-printify-order",
    body: {
      orderId,
      shippingAddress: { ...rest, phone: dialledPhone(address) },
      lineItems,
    },
    schema,
  });
  if (response.success === false) {
    throw new ServiceError("The printer did not take the order.", "print_order_failed", undefined);
  }
}
