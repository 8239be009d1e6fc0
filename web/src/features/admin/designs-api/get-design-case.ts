/** rpc get_design_case: a design with its reports, its creator's history, the decisions about it, and its copies. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { designNotFound } from "@/shop/designs/get-design";
import { ADMIN_KEY } from "../admin-key";

const text = z.nullable(z.string());

const decision = z.object({
  id: z.string(),
  design_name: z.string(),
  decision: z.enum(["keep", "take_down", "restore"]),
  reason: text,
  note: z.string(),
  created_at: z.string(),
  actor: text,
  told_at: text,
  not_told: text,
});

const schema = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  is_public: z.boolean(),
  /** The reason; null while it is not. */
  taken_down: text,
  reports: z.array(
    z.object({
      id: z.string(),
      reason: z.string(),
      words: z.string(),
      created_at: z.string(),
      is_open: z.boolean(),
    }),
  ),
  creator: z.object({
    name: z.string(),
    public_name: text,
    since: text,
    designs: z.int(),
    taken_down: z.int(),
    /** About the creator's other designs. */
    decisions: z.array(decision),
  }),
  decisions: z.array(decision),
  copies: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      creator: z.string(),
      created_at: z.string(),
      is_public: z.boolean(),
      is_taken_down: z.boolean(),
    }),
  ),
  held_orders: z.int(),
});

export type DesignCase = z.infer<typeof schema>;
export type DesignDecision = z.infer<typeof decision>;

async function getDesignCase(designId: string): Promise<DesignCase> {
  const supabase = await getSupabase();
  const found = unwrap(await supabase.rpc("get_design_case", { of_design: designId }));
  if (found === null) throw designNotFound();
  return z.parse(schema, found);
}

export function useDesignCase(designId: string) {
  return useQuery({
    queryKey: [...ADMIN_KEY, "design-case", designId],
    queryFn: () => getDesignCase(designId),
    refetchOnWindowFocus: true,
  });
}
