/** rpc list_design_cases: designs that people report, longest waiting first, or those that are taken down. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { thumbnailAddresses } from "@/shop/designs/stored-pictures";
import { ADMIN_KEY } from "../admin-key";
import { LIST_LIMIT } from "../limits";

const schema = z.object({
  /** 1,000 means that many or more. */
  total: z.int(),
  cases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      creator: z.string(),
      thumbnail_url: z.nullable(z.string()),
      thumbnail_data: z.nullable(z.string()),
      since: z.string(),
      reports: z.int(),
      reasons: z.array(z.string()),
      is_public: z.boolean(),
    }),
  ),
});

export type DesignCaseRow = z.infer<typeof schema>["cases"][number] & { thumbnail: string | null };

async function listDesignCases(takenDown: boolean) {
  const supabase = await getSupabase();
  const { total, cases } = z.parse(
    schema,
    unwrap(await supabase.rpc("list_design_cases", { taken_down: takenDown, most: LIST_LIMIT })),
  );
  const addressOf = await thumbnailAddresses(cases.map((each) => each.thumbnail_url));
  return {
    total,
    cases: cases.map((each) => ({
      ...each,
      thumbnail: addressOf(each.thumbnail_url) ?? each.thumbnail_data,
    })),
  };
}

export function useDesignCases(takenDown = false) {
  return useQuery({
    queryKey: [...ADMIN_KEY, "design-cases", takenDown],
    queryFn: () => listDesignCases(takenDown),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
  });
}
