/**
 * Calls a serverless function: POST <slug>, JSON both ways, behind Supabase's gateway or at FUNCTIONS_URL. Errors come
 * as `{"error", "code"}` from a function, with `retry_at` where it knows when to try again, and as `{"message", "code"}`
 * from the gateway in front.
 */
import * as z from "zod/mini";
import { ConnectionError, ServiceError } from "./errors";
import { getSupabase } from "./supabase";

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
  /** What the error says when the function gave no reason. */
  fallback?: string;
}

export async function invokeFunction<S extends z.ZodMiniType>(call: Call<S>): Promise<z.infer<S>> {
  const supabase = await getSupabase();
  const { data, error } = await supabase.functions.invoke<unknown>(call.slug, {
    body: call.body,
    ...(call.signal ? { signal: call.signal } : {}),
  });
  if (error) throw await toError(error, call.fallback);
  const parsed = z.safeParse(call.schema, data);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    "The shop gave an unexpected answer. Please try again.",
    "bad_answer",
    200,
  );
}

async function toError(error: unknown, fallback = ""): Promise<Error> {
  const response = (error as { context?: unknown }).context;
  if (!(response instanceof Response)) return new ConnectionError();
  const body = z.safeParse(failure, await response.json().catch(() => ({})));
  const { error: sentence, message, code, retry_at } = body.success ? body.data : {};
  return new ServiceError(
    sentence || message || fallback,
    code?.toString(),
    response.status,
    retry_at ? new Date(retry_at) : undefined,
  );
}
