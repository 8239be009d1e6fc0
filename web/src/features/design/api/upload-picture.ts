/** Storage: uploads an object into the bucket of designs. By XMLHttpRequest, which reports its progress. */
import * as z from "zod/mini";
import { getEnv } from "@/lib/env";
import { ConnectionError, toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { PICTURES } from "@/shop/designs/stored-pictures";

const failure = z.object({
  message: z.optional(z.string()),
  error: z.optional(z.string()),
});

interface Upload {
  name: string;
  base64: string;
  type: "image/png" | "image/jpeg";
  /** How much of it has been sent, from 0 to 1. */
  onProgress?: (share: number) => void;
}

/** An object of that name that is there already is this upload's first try: no other may write it. */
export async function uploadPicture({ name, base64, type, onProgress }: Upload): Promise<void> {
  const { SUPABASE_URL, SUPABASE_KEY } = getEnv();
  const supabase = await getSupabase();
  const { data } = await supabase.auth.getSession();
  const request = new XMLHttpRequest();
  request.open("POST", `${SUPABASE_URL}/storage/v1/object/${PICTURES}/${name}`);
  request.setRequestHeader("apikey", SUPABASE_KEY);
  request.setRequestHeader("authorization", `Bearer ${data.session?.access_token ?? SUPABASE_KEY}`);
  request.setRequestHeader("cache-control", "max-age=3600");
  if (onProgress) {
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  }
  await new Promise<void>((resolve, reject) => {
    request.onload = () => {
      const problem = problemOf(request);
      if (problem) reject(problem);
      else resolve();
    };
    request.onerror = () => reject(new ConnectionError());
    request.send(new Blob([bytesOf(base64)], { type }));
  });
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return bytes;
}

function problemOf({ status, responseText }: XMLHttpRequest): Error | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 502 && status <= 504) return new ConnectionError();
  const body = z.safeParse(failure, jsonOf(responseText));
  const { message = "", error } = body.success ? body.data : {};
  if (error === "Duplicate") return null;
  return toServiceError({ message, code: error, status });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
