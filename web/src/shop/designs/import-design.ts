/** import-design: copies another user's design to the caller's designs, or finds the copy that is there. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ServiceError } from "@/lib/errors/errors";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { DESIGNS_KEY } from "../query-keys";

const schema = z.object({
  success: z.optional(z.boolean()),
  designId: z.optional(z.string()),
  isNew: z.optional(z.boolean()),
  error: z.optional(z.nullable(z.string())),
});

interface Import {
  originalDesignId: string;
  /** Of a link whose bare form was ended. */
  linkKey: string | null;
  userId: string | undefined;
  /** Whether a copy that the caller has already will do. */
  reuse: boolean;
}

interface Imported {
  id: string;
  isNew: boolean;
}

async function importDesign({
  originalDesignId,
  linkKey,
  userId,
  reuse,
}: Import): Promise<Imported> {
  if (!userId) throw new ServiceError("User not authenticated", "not_authenticated", 401);
  const response = await invokeFunction({
    slug: "import-design",
    body: { originalDesignId, ...(linkKey && { key: linkKey }), ...(reuse && { reuse }) },
    schema,
  });
  if (response.success && response.designId)
    return { id: response.designId, isNew: response.isNew ?? true };
  throw new ServiceError(response.error ?? "Failed to import design", "import_failed", undefined);
}

/** The caller's design. */
export function useImportDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: importDesign,
    onSuccess: () => client.invalidateQueries({ queryKey: DESIGNS_KEY }),
  });
}
