/** create-printify-product: makes the printable product of a saved design. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors";
import { invokeFunction } from "@/lib/invoke-function";

const schema = z.object({
  success: z.optional(z.boolean()),
  printifyProductId: z.optional(z.nullable(z.string())),
  warnings: z.optional(z.array(z.string())),
});

interface PrintProduct {
  designId: string;
  imageBase64: string;
  selectedColors: string[];
}

/** Resolves with what the shopper should know about how the design will print; mostly nothing. */
export async function createPrintifyProduct(body: PrintProduct): Promise<string[]> {
  const answer = await invokeFunction({
    slug: "create-printify-product",
    body: { ...body },
    schema,
  });
  if (!answer.success) {
    throw new ServiceError(
      "The print product could not be made.",
      "product_not_created",
      undefined,
    );
  }
  return answer.warnings ?? [];
}
