/** A picture that was begun before this page was loaded. */
import { ConnectionError } from "@/lib/errors/errors";
import { type DesignJob, findJob, jobPicture } from "@/shop/designs/design-jobs";
import { failureOf, watchJob } from "@/shop/designs/follow-job";

/** There is no such job: it never began, or ended more than a day ago. */
export class JobGoneError extends Error {
  override name = "JobGoneError";
}

const LOOKS = 3;
const PAUSE_MS = 1000;

export async function resumePicture(
  jobId: string,
  signal: AbortSignal,
  onFound: (job: DesignJob) => void,
): Promise<string> {
  const job = await waitForJob(jobId);
  onFound(job);
  if (job.state === "done") return jobPicture(job);
  if (job.state === "failed") throw failureOf(job);
  return watchJob({ jobId, signal, fromJob: jobPicture });
}

/**
 * The job's row may appear after the reload that interrupted its request, and the shop may answer again: look several
 * times.
 */
async function waitForJob(jobId: string): Promise<DesignJob> {
  for (let look = 1; ; look++) {
    try {
      const job = await findJob(jobId);
      if (job) return job;
      if (look === LOOKS) throw new JobGoneError();
    } catch (error) {
      if (!(error instanceof ConnectionError) || look === LOOKS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
