/** create-printify-product: makes the printable product of a saved design. */
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { newUuid } from "@/lib/text/new-uuid";
import type { DesignJob } from "./design-jobs";
import { responseOrJob } from "./follow-job";

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
export function createPrintifyProduct(body: PrintProduct): Promise<string[]> {
  const jobId = newUuid();
  return responseOrJob(request(body, jobId), {
    jobId,
    signal: new AbortController().signal,
    fromJob: async (job) => warningsOf(job),
  });
}

const result = z.object({ warnings: z.array(z.string()) });

function warningsOf(job: DesignJob): string[] {
  return z.parse(result, job.result).warnings;
}

async function request(body: PrintProduct, jobId: string): Promise<string[]> {
  const response = await invokeFunction({
    slug: "create-printify-product",
    body: { ...body, job_id: jobId },
    schema,
  });
  if (!response.success) {
    throw new ServiceError(
      "The print product could not be made.",
      "product_not_created",
      undefined,
    );
  }
  return response.warnings ?? [];
}
