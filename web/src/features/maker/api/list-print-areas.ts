/** product_variants: the print areas of a colour's sizes, in pixels at 300 DPI. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { compareSizes, sizeName } from "@/shop/catalog/variants";
import { LARGEST_AREA, type Size } from "@/shop/scene/placement";
import type { Side } from "@/shop/scene/scene";

const pixels = z.nullable(z.int());
const schema = z.array(
  z.object({
    name: z.string(),
    front_width: pixels,
    front_height: pixels,
    back_width: pixels,
    back_height: pixels,
  }),
);

export type SizeAreas = { size: string } & Record<Side, Size>;

function areaOf(width: number | null, height: number | null): Size {
  return width && height ? { width, height } : LARGEST_AREA;
}

async function listPrintAreas(color: string): Promise<SizeAreas[]> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("product_variants")
    .select("name, front_width, front_height, back_width, back_height")
    .like("name", `${color.replace(/[\\%_]/g, "\\$&")} - %`)
    .eq("is_available", true);
  return z
    .parse(schema, unwrap(response))
    .map((row) => ({
      size: sizeName(row.name),
      front: areaOf(row.front_width, row.front_height),
      back: areaOf(row.back_width, row.back_height),
    }))
    .toSorted((a, b) => compareSizes(a.size, b.size));
}

export function usePrintAreas(color: string | undefined) {
  return useQuery({
    queryKey: ["print-areas", color],
    queryFn: () => listPrintAreas(color ?? ""),
    enabled: color !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // of another colour they are nearly always the same
    placeholderData: keepPreviousData,
  });
}
