/** profiles: one row by id. */
import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

const schema = z.nullable(
  z.object({
    id: z.string(),
    username: z.nullable(z.string()),
    name: z.nullable(z.string()),
    is_admin: z.nullable(z.boolean()),
    public_name: z.nullable(z.string()),
  }),
);

export type Profile = NonNullable<z.infer<typeof schema>>;

async function getProfile(userId: string): Promise<Profile | null> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("profiles")
    .select("id, username, name, is_admin, public_name")
    .eq("id", userId)
    .maybeSingle();
  return z.parse(schema, unwrap(response));
}

export function profileQuery(userId: string) {
  return queryOptions({
    queryKey: ["profile", userId],
    queryFn: () => getProfile(userId),
    staleTime: 60_000,
  });
}
