/**
 * The newest public designs, for the landing page. A plain request: a visitor who only looks should not have to
 * load the Supabase client.
 */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { getEnv } from "@/lib/env";
import { imageSource } from "@/lib/image-source";

const COUNT = 8;

const row = z.object({
  designs: z.nullable(
    z.object({ id: z.string(), name: z.string(), thumbnail_data: z.nullable(z.string()) }),
  ),
});

interface LatestDesign {
  id: string;
  name: string;
  picture: string;
}

export function toLatest(rows: unknown): LatestDesign[] {
  return z.parse(z.array(row), rows).flatMap(({ designs: design }) => {
    const picture = imageSource(design?.thumbnail_data);
    return design && picture ? [{ id: design.id, name: design.name, picture }] : [];
  });
}

async function listLatestDesigns(): Promise<LatestDesign[]> {
  const { SUPABASE_URL, SUPABASE_KEY } = getEnv();
  const select = encodeURIComponent("designs(id,name,thumbnail_data)");
  const response = await fetch(
    `${SUPABASE_URL}/rest/v1/public_designs?select=${select}&order=created_at.desc&limit=${COUNT}`,
    { headers: { apikey: SUPABASE_KEY } },
  );
  if (!response.ok) throw new Error(`The gallery answered ${response.status}`);
  return toLatest(await response.json());
}

export function useLatestDesigns() {
  return useQuery({ queryKey: ["latest-designs"], queryFn: listLatestDesigns, staleTime: 60_000 });
}
