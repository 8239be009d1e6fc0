/** report-design: tells the shop what is wrong with a design. No account is needed, and none is looked at. */
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import type { ReportReason } from "./report-reasons";

interface Report {
  designId: string;
  linkKey: string | null;
  reason: ReportReason;
  words: string;
}

async function reportDesign({ designId, linkKey, reason, words }: Report): Promise<void> {
  await invokeFunction({
    slug: "report-design",
    body: { designId, ...(linkKey ? { key: linkKey } : {}), reason, words },
    schema: z.object({ success: z.literal(true) }),
  });
}

export function useReportDesign() {
  return useMutation({ mutationFn: reportDesign });
}
