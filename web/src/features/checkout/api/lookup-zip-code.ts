/** lookup-zip-code: the city and state of a US ZIP code. An unknown one answers 200 with `error`. */
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const schema = z.object({
  city: z.optional(z.nullable(z.string())),
  state: z.optional(z.nullable(z.string())),
  error: z.optional(z.nullable(z.string())),
});

export type ZipPlace = z.infer<typeof schema>;

export function lookupZipCode(zipCode: string): Promise<ZipPlace> {
  return invokeFunction({ slug: "lookup-zip-code", body: { zipCode }, schema, reads: true });
}
