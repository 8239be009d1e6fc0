/**
 * Pictures in Storage. A design's row names its picture and thumbnail in a private bucket. Storage signs the picture's
 * address for everyone with the link, and the thumbnail's for owners and admins. The thumbnails of public designs are
 * also in a public bucket, under the publication's id.
 */
import * as z from "zod/mini";
import { getEnv } from "@/lib/env";
import { mayHaveSession } from "@/lib/session/may-have-session";
import { getSupabase } from "@/lib/supabase/client";
import { earlyFetch } from "@/lib/supabase/early-request";

export const PICTURES = "designs";
export const PUBLIC_THUMBNAILS = "design-thumbnails";
/** A working day: pages stay open. A deleted picture is gone from such an address at once. */
const SIGNED_SECONDS = 43_200;

/** Below the API's origin, and without the key. */
export function signRequest(name: string) {
  return {
    method: "POST",
    path: `/storage/v1/object/sign/${PICTURES}/${name}`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ expiresIn: SIGNED_SECONDS }),
  };
}

const signed = z.object({ signedURL: z.string() });

/**
 * As everybody with the link has it, with the link's key where it has one; else as the signed-in visitor. Null where Storage
 * gives none: the page then shows what else it has.
 */
export async function pictureAddress(
  name: string,
  linkKey: string | null = null,
): Promise<string | null> {
  const { SUPABASE_URL, SUPABASE_KEY } = getEnv();
  try {
    const { path, headers, ...request } = signRequest(name);
    const response = await earlyFetch(SUPABASE_URL + path, {
      ...request,
      headers: {
        ...headers,
        apikey: SUPABASE_KEY,
        authorization: `Bearer ${SUPABASE_KEY}`,
        ...(linkKey ? { "x-design-key": linkKey } : {}),
      },
    });
    if (!response.ok && mayHaveSession()) return (await thumbnailAddresses([name]))(name);
    if (!response.ok) throw new Error(`Storage answered with ${response.status}`);
    const { signedURL } = z.parse(signed, await response.json());
    return `${SUPABASE_URL}/storage/v1${signedURL}`;
  } catch (error) {
    console.warn("The picture has no address:", error);
    return null;
  }
}

/** Addresses by name, of pictures and thumbnails that the signed-in visitor owns or administers. */
export async function thumbnailAddresses(
  names: (string | null)[],
): Promise<(name: string | null) => string | null> {
  const stored = names.filter((name) => name !== null);
  if (stored.length === 0) return () => null;
  const { storage } = await getSupabase();
  const { data } = await storage.from(PICTURES).createSignedUrls(stored, SIGNED_SECONDS);
  const addresses = new Map(
    (data ?? []).map((each) => [each.path, each.error ? null : each.signedUrl]),
  );
  return (name) => (name && addresses.get(name)) || null;
}

export function publicThumbnailUrl(publicationId: string): string {
  const { SUPABASE_URL } = getEnv();
  return `${SUPABASE_URL}/storage/v1/object/public/${PUBLIC_THUMBNAILS}/${publicationId}.jpg`;
}
