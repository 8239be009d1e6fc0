/** Waits for a job: for the response of its function, and for its row, in case the connection is lost. */
import { ConnectionError, ServiceError } from "@/lib/errors/errors";
import { type DesignJob, findJob } from "./design-jobs";

export const LOOK_MS = 2000;
/** Longer than the shop's limit for resuming a job after its process died. */
const LONGEST_MS = 1_200_000;
/** How long to look for a job after its call broke off: the request may still arrive, or the connection return. */
const ARRIVAL_MS = 6000;

interface RunningJob<T> {
  jobId: string;
  signal: AbortSignal;
  /** The outcome of a job that is done. */
  fromJob: (job: DesignJob) => Promise<T>;
}

/** The response of `call`; if it breaks off, the outcome of the job. */
export async function responseOrJob<T>(call: Promise<T>, running: RunningJob<T>): Promise<T> {
  const stop = new AbortController();
  const leave = () => stop.abort(running.signal.reason);
  running.signal.addEventListener("abort", leave, { once: true });
  const watching = { ...running, signal: stop.signal };
  const watched = watchJob(watching);
  // If the call fails first, no code awaits this promise: avoid an unhandled rejection.
  watched.catch(() => {});
  const answered = call.catch(async (cause: unknown) => {
    if (isRefusal(cause) || !(await isRunning(watching, cause))) throw cause;
    return watched;
  });
  try {
    return await Promise.race([answered, watched]);
  } finally {
    running.signal.removeEventListener("abort", leave);
    stop.abort();
  }
}

/** The outcome of a job that was begun, once it has ended. */
export async function watchJob<T>(running: RunningJob<T>): Promise<T> {
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    await pause(running.signal);
    const job = await look(running.jobId);
    if (job?.state === "done") return running.fromJob(job);
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

/** Whether a job runs or is done after its call broke off. A call without a response may still be on its way. */
async function isRunning({ jobId, signal }: RunningJob<unknown>, cause: unknown): Promise<boolean> {
  // Limited by time, not by looks: without a connection one look lasts as long as the client's retries.
  const until = Date.now() + ARRIVAL_MS;
  for (let looks = 0; Date.now() < until; looks++) {
    const job = await look(jobId);
    if (job) return job.state !== "failed";
    if (job === null && (looks > 0 || cause instanceof ServiceError)) return false;
    await pause(signal);
  }
  return false;
}

/** The function has rejected the request: no job is running. */
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
