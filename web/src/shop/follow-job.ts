/** Waits for a job: by the answer of the function that does it, and by its row, which outlives a lost connection. */
import { ConnectionError, ServiceError } from "@/lib/errors";
import { type DesignJob, findJob } from "./design-jobs";

export const LOOK_MS = 2000;
/** Longer than the shop goes on with a job that its process has left. */
const LONGEST_MS = 1_200_000;
/** A job whose call broke off is looked for so long: it may be arriving yet, or the connection be coming back. */
const ARRIVAL_MS = 6000;

interface Waiting<T> {
  jobId: string;
  signal: AbortSignal;
  /** The outcome of a job that is done. */
  fromJob: (job: DesignJob) => Promise<T>;
}

/** The answer of `call`; where it breaks off, what the job comes to. */
export async function answerOrJob<T>(call: Promise<T>, waiting: Waiting<T>): Promise<T> {
  const stop = new AbortController();
  const leave = () => stop.abort(waiting.signal.reason);
  waiting.signal.addEventListener("abort", leave, { once: true });
  const watching = { ...waiting, signal: stop.signal };
  const watched = watchJob(watching);
  // The call may be the first to fail, and then nothing waits for this any more.
  watched.catch(() => {});
  const answered = call.catch(async (cause: unknown) => {
    if (isRefusal(cause) || !(await isRunning(watching, cause))) throw cause;
    return watched;
  });
  try {
    return await Promise.race([answered, watched]);
  } finally {
    waiting.signal.removeEventListener("abort", leave);
    stop.abort();
  }
}

/** The outcome of a job that was begun, once it has ended. */
export async function watchJob<T>(waiting: Waiting<T>): Promise<T> {
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    await pause(waiting.signal);
    const job = await look(waiting.jobId);
    if (job?.state === "done") return waiting.fromJob(job);
    if (job?.state === "failed") throw failureOf(job);
  }
  throw new ConnectionError();
}

export function failureOf(job: DesignJob): ServiceError {
  return new ServiceError(job.error ?? "", job.error_code ?? undefined, undefined);
}

/** The job, null where there is none, undefined where the shop cannot be reached. */
async function look(jobId: string): Promise<DesignJob | null | undefined> {
  try {
    return await findJob(jobId);
  } catch (error) {
    console.warn("The job could not be read:", error);
    return undefined;
  }
}

/** Whether a job whose call broke off goes on, or has been done. A call without an answer may only be arriving. */
async function isRunning({ jobId, signal }: Waiting<unknown>, cause: unknown): Promise<boolean> {
  // By time: without a connection one look takes as long as the client tries again.
  const until = Date.now() + ARRIVAL_MS;
  for (let looks = 0; Date.now() < until; looks++) {
    const job = await look(jobId);
    if (job) return job.state !== "failed";
    if (job === null && (looks > 0 || cause instanceof ServiceError)) return false;
    await pause(signal);
  }
  return false;
}

/** The function has decided: no job goes on. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof ServiceError && (cause.status === undefined || cause.status < 500);
}

/** The time until the next look. While the page is hidden there is none. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(wake, LOOK_MS);
    function wake() {
      if (document.hidden) document.addEventListener("visibilitychange", wake, { once: true });
      else finish(resolve);
    }
    function finish(end: () => void) {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      signal.removeEventListener("abort", stop);
      end();
    }
    function stop() {
      finish(() => reject(signal.reason as Error));
    }
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
}
