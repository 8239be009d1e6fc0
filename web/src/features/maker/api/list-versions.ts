/** design_versions: what was finished of a design, newest first. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

const MOST = 50;

const schema = z.array(
  z.object({ id: z.string(), number: z.int(), has_back: z.boolean(), created_at: z.string() }),
);
const current = z.nullable(z.object({ current_version: z.nullable(z.string()) }));

export type Version = z.infer<typeof schema>[number] & { isCurrent: boolean };

async function listVersions(designId: string): Promise<Version[]> {
  const supabase = await getSupabase();
  const [versions, design] = await Promise.all([
    supabase
      .from("design_versions")
      .select("id, number, has_back, created_at")
      .eq("design_id", designId)
      .order("number", { ascending: false })
      .limit(MOST),
    supabase.from("designs").select("current_version").eq("id", designId).maybeSingle(),
  ]);
  const now = z.parse(current, unwrap(design))?.current_version;
  return z
    .parse(schema, unwrap(versions))
    .map((version) => ({ ...version, isCurrent: version.id === now }));
}

export function versionsQuery(designId: string) {
  return queryOptions({
    queryKey: ["design-versions", designId],
    queryFn: () => listVersions(designId),
  });
}

export function useVersions(designId: string) {
  return useQuery(versionsQuery(designId));
}
