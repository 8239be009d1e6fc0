/** import-design: copies another user's design to the caller's designs. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { DESIGNS_KEY } from "../query-keys";

const schema = z.object({
  success: z.optional(z.boolean()),
  designId: z.optional(z.string()),
  error: z.optional(z.nullable(z.string())),
});

interface Import {
  originalDesignId: string;
  /** Of a link whose bare form was ended. */
  linkKey: string | null;
  userId: string | undefined;
}

async function importDesign({ originalDesignId, linkKey, userId }: Import): Promise<string> {
  if (!userId) throw new ServiceError("User not authenticated", "not_authenticated", 401);
  const response = await invokeFunction({
    slug: "import-design",
    body: linkKey ? { originalDesignId, key: linkKey } : { originalDesignId },
    schema,
  });
  if (response.success && response.designId) return response.designId;
  throw new ServiceError(response.error ?? "Failed to import design", "import_failed", undefined);
}

/** The new design's id. */
export function useImportDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: importDesign,
    onSuccess: () => client.invalidateQueries({ queryKey: DESIGNS_KEY }),
  });
}
