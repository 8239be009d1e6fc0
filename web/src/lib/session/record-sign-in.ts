/**
 * user_sessions: one row for each sign-in. supabase-js emits SIGNED_IN again whenever the tab becomes visible, and
 * INITIAL_SESSION at every load. Only the session's id, a claim of its token, distinguishes a new sign-in.
 */
import type { Session } from "@supabase/supabase-js";
import { getSupabase } from "@/lib/supabase/client";

const RECORDED_KEY = "teesmith-recorded-session";

export async function recordSignIn(session: Session): Promise<void> {
  const sessionId = sessionIdOf(session.access_token) ?? session.user.last_sign_in_at ?? "";
  if (localStorage.getItem(RECORDED_KEY) === sessionId) return;
  localStorage.setItem(RECORDED_KEY, sessionId);
  const supabase = await getSupabase();
  const { error } = await supabase.from("user_sessions").insert({
    user_id: session.user.id,
    login_at: new Date().toISOString(),
    user_agent: navigator.userAgent,
  });
  if (error) console.warn("The sign-in could not be recorded:", error.message);
}

export function sessionIdOf(token: string): string | undefined {
  try {
    const body = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const claims: unknown = JSON.parse(atob(body));
    const id = (claims as { session_id?: unknown }).session_id;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}
