/** design_jobs: the user's running jobs, and the pictures of finished ones. */
import * as z from "zod/mini";
import { ServiceError, toServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

const RESULTS = "design-jobs";
const COLUMNS =
  "id, kind, state, design_id, request, seed, result, result_path, error, error_code, created_at";

const schema = z.object({
  id: z.string(),
  kind: z.enum(["text_picture", "photo_picture", "print_product", "scene"]),
  state: z.enum(["running", "done", "failed"]),
  request: z.record(z.string(), z.unknown()),
  seed: z.int(),
  result: z.nullable(z.record(z.string(), z.unknown())),
  result_path: z.nullable(z.string()),
  error: z.nullable(z.string()),
  error_code: z.nullable(z.string()),
  created_at: z.string(),
});

export type DesignJob = z.infer<typeof schema>;

/** Null when there is none: it was never begun, belongs to another, or is more than a day old. */
export async function findJob(id: string): Promise<DesignJob | null> {
  const supabase = await getSupabase();
  const response = await supabase.from("design_jobs").select(COLUMNS).eq("id", id).maybeSingle();
  return z.parse(z.nullable(schema), unwrap(response));
}

/** The newest job for a design's print product. */
export async function findJobOfDesign(designId: string): Promise<DesignJob | null> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("design_jobs")
    .select(COLUMNS)
    .eq("design_id", designId)
    .eq("kind", "print_product")
    .order("created_at", { ascending: false })
    .limit(1)
    .maybeSingle();
  return z.parse(z.nullable(schema), unwrap(response));
}

/** The picture that a job has made, as base64. */
export async function jobPicture(job: DesignJob): Promise<string> {
  if (!job.result_path) throw new ServiceError("", "no_image", undefined);
  const { storage } = await getSupabase();
  const { data, error } = await storage.from(RESULTS).download(job.result_path);
  if (error) throw toServiceError({ message: error.message });
  const bytes = new Uint8Array(await data.arrayBuffer());
  let text = "";
  // in parts: a call takes a limited number of arguments
  for (let place = 0; place < bytes.length; place += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(place, place + 0x8000));
  }
  return btoa(text);
}
