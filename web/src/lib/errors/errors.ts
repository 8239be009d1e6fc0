/** Errors between the page and the shop's services, with the sentence that the visitor reads. */

import { formatNextTime } from "@/lib/text/format";
import { sentenceOf } from "./sentences";

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

/** No response at all: offline, connection refused, or cut off. */
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
  /** 'Auth…Error' of the auth client. */
  name?: string;
}

const GATEWAY_FAILURES = new Set([502, 503, 504]);

/** The data of a PostgREST or Auth response; throws its error as a ServiceError or ConnectionError. */
export function unwrap<T>(response: { data: T; error: RestFailure | null; status?: number }): T {
  if (response.error)
    throw toServiceError({
      ...response.error,
      message: response.error.message,
      status: response.status,
    });
  return response.data;
}

export function toServiceError(error: RestFailure): Error {
  if (isConnectionFailure(error)) return new ConnectionError();
  return new ServiceError(sentenceOf(error), error.code, error.status);
}

/** The browser received no response, or only a proxy's gateway error. */
function isConnectionFailure({ message, code, status }: RestFailure): boolean {
  if (status !== undefined && GATEWAY_FAILURES.has(status) && !code) return true;
  return /failed to fetch|networkerror|load failed|fetch failed/i.test(message);
}

const MISSING = new Set([
  "design_not_found",
  "no_design_id",
  "order_not_found",
  "creator_not_found",
]);

/** The requested row does not exist, as opposed to a missing response or a failed service. */
export function isMissing(error: unknown): boolean {
  return error instanceof ServiceError && MISSING.has(error.code ?? "");
}

export function errorMessage(error: unknown, fallback: string): string {
  if (error instanceof ConnectionError) return error.message;
  if (!(error instanceof ServiceError)) return fallback;
  const message = error.message || fallback;
  return error.retryAt ? `${message} You can try again ${formatNextTime(error.retryAt)}.` : message;
}
