/**
 * Calls a serverless function: POST <slug>, JSON both ways, behind Supabase's gateway or at FUNCTIONS_URL. Errors come
 * as `{"error", "code"}` from a function, with `retry_at` where it knows when to try again, and as `{"message", "code"}`
 * from the gateway in front.
 *
 * A call has an Idempotency-Key unless it only reads. Where its answer is lost it is made again with the same key, and the
 * function does its work once.
 */
import * as z from "zod/mini";
import { ConnectionError, ServiceError } from "@/lib/errors/errors";
import { sentenceOf } from "@/lib/errors/sentences";
import { newUuid } from "@/lib/text/new-uuid";
import { getSupabase } from "./client";

const failure = z.object({
  error: z.optional(z.string()),
  message: z.optional(z.string()),
  code: z.optional(z.union([z.string(), z.number()])),
  retry_at: z.optional(z.iso.datetime({ offset: true })),
});

interface Call<S extends z.ZodMiniType> {
  slug: string;
  body: Record<string, unknown>;
  schema: S;
  signal?: AbortSignal;
  /** It changes nothing, so that it needs no key. */
  reads?: boolean;
  /** What the error says when the function gave no reason. */
  fallback?: string;
}

const PAUSE_MS = 2000;
const MOST_REPETITIONS = 15;

export async function invokeFunction<S extends z.ZodMiniType>(call: Call<S>): Promise<z.infer<S>> {
  const data = call.reads ? await send(call, {}) : await sendOnce(call);
  const parsed = z.safeParse(call.schema, data);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    "The shop gave an unexpected answer. Please try again.",
    "bad_answer",
    200,
  );
}

/** Repeats a call whose answer was lost: once, and then for as long as the first is being worked on. */
async function sendOnce(call: Call<z.ZodMiniType>): Promise<unknown> {
  const headers = { "Idempotency-Key": `"${newUuid()}"` };
  try {
    return await send(call, headers);
  } catch (error) {
    if (!(error instanceof ConnectionError) || call.signal?.aborted) throw error;
  }
  for (let repetition = 1; ; repetition++) {
    try {
      return await send(call, headers);
    } catch (error) {
      const running = error instanceof ServiceError && error.code === "call_in_progress";
      if (!running || repetition === MOST_REPETITIONS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function send(
  { slug, body, signal, fallback }: Call<z.ZodMiniType>,
  headers: Record<string, string>,
): Promise<unknown> {
  const supabase = await getSupabase();
  const { data, error } = await supabase.functions.invoke<unknown>(slug, {
    body,
    headers,
    ...(signal ? { signal } : {}),
  });
  if (error) throw await toError(error, fallback);
  return data;
}

async function toError(error: unknown, fallback = ""): Promise<Error> {
  const response = (error as { context?: unknown }).context;
  if (!(response instanceof Response)) return new ConnectionError();
  const body = z.safeParse(failure, await response.json().catch(() => ({})));
  const { error: said, message = "", code: number, retry_at } = body.success ? body.data : {};
  const [code, { status }] = [number?.toString(), response];
  // A function's sentences are for people; what the gateway says, and about a session, is not.
  const sentence = said && status !== 401 ? said : sentenceOf({ message, code, status });
  return new ServiceError(
    sentence || fallback,
    code,
    status,
    retry_at ? new Date(retry_at) : undefined,
  );
}
