/** finish-scene: makes a version of the stored draft, with its print files and its product. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { newUuid } from "@/lib/text/new-uuid";
import { responseOrJob } from "@/shop/designs/follow-job";

const schema = z.object({ warnings: z._default(z.array(z.string()), []) });

interface FinishedScene {
  designId: string;
  /** Of the stored draft. */
  revision: number;
}

/** What the shopper should know about how it will print; mostly nothing. */
export function finishScene(body: FinishedScene): Promise<string[]> {
  const jobId = newUuid();
  const call = invokeFunction({
    slug: "finish-scene",
    body: { ...body, job_id: jobId },
    schema,
    fallback: "The print could not be made. Please try again.",
  });
  return responseOrJob(
    call.then(({ warnings }) => warnings),
    {
      jobId,
      signal: new AbortController().signal,
      fromJob: async (job) => z.parse(schema, job.result).warnings,
    },
  );
}
