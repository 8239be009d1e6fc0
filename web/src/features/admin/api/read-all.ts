/** Reads every row of a list, part by part: the API answers with a limited number at once. */
import type { PostgrestError } from "@supabase/supabase-js";
import { unwrap } from "@/lib/errors";

const PART = 1000;

interface Part<T> {
  data: T[] | null;
  error: PostgrestError | null;
  status: number;
}

export async function readAll<T>(
  part: (from: number, to: number) => PromiseLike<Part<T>>,
): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- whether there is a next part shows in this one
    const next = unwrap(await part(rows.length, rows.length + PART - 1)) ?? [];
    rows.push(...next);
    if (next.length < PART) return rows;
  }
}
