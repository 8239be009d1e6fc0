/** test-webhook: the server posts JSON to an address of the admin's choice, and tells what came back. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/invoke-function";

const schema = z.object({
  status: z.int(),
  ok: z.boolean(),
  body: z.optional(z.nullable(z.string())),
});

export type WebhookAnswer = z.infer<typeof schema>;

export function testWebhook(url: string, payload: unknown): Promise<WebhookAnswer> {
  return invokeFunction({ slug: "test-webhook", body: { url, payload }, schema });
}
