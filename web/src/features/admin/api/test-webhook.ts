/** test-webhook: the server posts JSON to the admin's address and returns the response. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const schema = z.object({
  status: z.int(),
  ok: z.boolean(),
  body: z.optional(z.nullable(z.string())),
});

export type WebhookResponse = z.infer<typeof schema>;

export function testWebhook(url: string, payload: unknown): Promise<WebhookResponse> {
  return invokeFunction({ slug: "test-webhook", body: { url, payload }, schema });
}
