/** check-print: what would disappoint in print, of the stored draft on a shirt of this colour. */
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const share = z.number();
const finding = z.object({
  side: z.enum(["front", "back"]),
  kind: z.string(),
  severity: z.enum(["stop", "warn"]),
  sentence: z.string(),
  /** Left, upper, right and lower edge, as shares of the print area. */
  box: z.tuple([share, share, share, share]),
  mend: z.nullable(z.enum(["thicken", "harden", "cut_out", "remove_specks", "enlarge", "shrink"])),
  layer: z.nullable(z.string()),
  place: z.nullable(z.object({ x: share, y: share, scale: share })),
});

export type Finding = z.infer<typeof finding>;

/** A side as it looks in the printer's ink, where its profile is known. */
const proof = z.object({ side: z.enum(["front", "back"]), picture: z.string() });

export type Proof = z.infer<typeof proof>;

interface CheckedDraft {
  designId: string;
  /** A variant of the shirt's colour. */
  color: string;
}

async function checkPrint(body: CheckedDraft): Promise<{ findings: Finding[]; proofs: Proof[] }> {
  return invokeFunction({
    slug: "check-print",
    body: { ...body },
    schema: z.object({ findings: z.array(finding), proofs: z._default(z.array(proof), []) }),
    reads: true,
    fallback: "The print could not be checked just now. Please try again.",
  });
}

export function useCheckPrint() {
  return useMutation({ mutationFn: checkPrint });
}
