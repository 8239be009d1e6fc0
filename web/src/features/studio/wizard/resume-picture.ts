/** A picture that was begun before this page was loaded. */
import { type DesignJob, findJob, jobPicture } from "@/shop/design-jobs";
import { failureOf, watchJob } from "@/shop/follow-job";

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

/** The job's row may appear after the reload that interrupted its request: look several times. */
async function waitForJob(jobId: string): Promise<DesignJob> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const job = await findJob(jobId);
    if (job) return job;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new JobGoneError();
}
