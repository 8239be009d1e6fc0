/** rpc/save_scene: stores the draft. PT409 where another tab or device has stored one since. */
import * as z from "zod/mini";
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import type { Scene } from "@/shop/scene/scene";

interface SavedScene {
  designId: string;
  scene: Scene;
  /** The stored one that this follows. */
  revision: number;
}

/** The new revision. */
export async function saveScene({ designId, scene, revision }: SavedScene): Promise<number> {
  const supabase = await getSupabase();
  const response = await supabase.rpc("save_scene", { design: designId, scene, revision });
  return z.parse(z.int(), unwrap(response));
}

export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "PT409";
}
