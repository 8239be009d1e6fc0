/** What can go wrong between the page and the shop's services, and the sentence a person reads about it. */
import { formatNextTime } from "./format";

/**
 * A service answered with an error: `message` is written for a person, `code` is stable, and `retryAt` is when the same
 * request may succeed, where the service knows.
 */
export class ServiceError extends Error {
  override name = "ServiceError";
  constructor(
    message: string,
    readonly code: string | undefined,
    readonly status: number | undefined,
    readonly retryAt: Date | undefined = undefined,
  ) {
    super(message);
  }
}

/** No answer at all: offline, refused, or cut off. */
export class ConnectionError extends Error {
  override name = "ConnectionError";
  constructor() {
    super("We couldn't reach the shop. Check your connection and try again.");
  }
}

interface RestFailure {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
}

const GATEWAY_FAILURES = new Set([502, 503, 504]);

/** The value of a PostgREST or auth answer, or its error thrown as one of ours. */
export function unwrap<T>(answer: { data: T; error: RestFailure | null; status?: number }): T {
  if (answer.error)
    throw toServiceError({ ...answer.error, message: answer.error.message, status: answer.status });
  return answer.data;
}

export function toServiceError(error: RestFailure): Error {
  if (isConnectionFailure(error)) return new ConnectionError();
  // The auth client writes an answer without a sentence as JSON; that is for nobody to read.
  const message = error.message.startsWith("{") ? "" : error.message;
  return new ServiceError(message, error.code, error.status);
}

/** The browser got no answer, or only a proxy's that the service behind it gave none. */
function isConnectionFailure({ message, code, status }: RestFailure): boolean {
  if (status !== undefined && GATEWAY_FAILURES.has(status) && !code) return true;
  return /failed to fetch|networkerror|load failed|fetch failed/i.test(message);
}

const MISSING = new Set(["design_not_found", "no_design_id", "order_not_found"]);

/** What was asked for is not there, as against an answer that never came or a service that failed. */
export function isMissing(error: unknown): boolean {
  return error instanceof ServiceError && MISSING.has(error.code ?? "");
}

export function errorMessage(error: unknown, fallback: string): string {
  if (error instanceof ConnectionError) return error.message;
  if (!(error instanceof ServiceError)) return fallback;
  const message = error.message || fallback;
  return error.retryAt ? `${message} You can try again ${formatNextTime(error.retryAt)}.` : message;
}
