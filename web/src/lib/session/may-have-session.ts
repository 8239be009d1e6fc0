import { SESSION_STORAGE_KEY } from "@/lib/supabase/client";

/** Whether this browser holds a session, or the address brings one back (`?code=`, `#access_token=`, `?error=`). */
export function mayHaveSession(): boolean {
  if (typeof location === "undefined") return false;
  if (/[?&#](code|access_token|error|error_description)=/.test(location.search + location.hash))
    return true;
  try {
    return localStorage.getItem(SESSION_STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}
