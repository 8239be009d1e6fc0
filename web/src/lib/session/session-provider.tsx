/**
 * Who is signed in. The Supabase client is loaded only when there is something to ask it: a stored session,
 * or an address that carries a sign-in back (`?code=`, `#access_token=`, `?error=`).
 */
import type { Session, User } from "@supabase/supabase-js";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { clearAllDrafts } from "@/lib/session-draft";
import { getSupabase } from "@/lib/supabase";
import { type Profile, profileQuery } from "./get-profile";
import { mayHaveSession } from "./may-have-session";
import { recordSignIn } from "./record-sign-in";

interface SessionState {
  loading: boolean;
  user: User | null;
  profile: Profile | null;
  /** The profile of a signed-in visitor is still on its way. */
  profileLoading: boolean;
  /** It could not be loaded. */
  profileFailed: boolean;
  reloadProfile: () => void;
  /** The visitor has chosen to leave, so a protected page gives way to the start, not to the sign-in form. */
  leaving: boolean;
  /** Begins to listen to the client's events; the sign-in forms call it before they sign the visitor in. */
  listen: () => void;
  signOut: () => Promise<void>;
}

const SessionContext = createContext<SessionState | null>(null);

const NOT_SIGNED_IN: SessionState = {
  loading: false,
  user: null,
  profile: null,
  profileLoading: false,
  profileFailed: false,
  reloadProfile: () => {},
  leaving: false,
  listen: () => {},
  signOut: async () => {},
};

/** A visitor without a session, where nothing can change that: the build's prerendering. */
export function VisitorProvider({ children }: { children: ReactNode }) {
  return <SessionContext value={NOT_SIGNED_IN}>{children}</SessionContext>;
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [listening, setListening] = useState(mayHaveSession);
  const [loading, setLoading] = useState(listening);
  const [session, setSession] = useState<Session | null>(null);
  const [leaving, setLeaving] = useState(false);

  useEffect(() => {
    if (!listening) return;
    let left = false;
    let unsubscribe: (() => void) | undefined;
    getSupabase().then(
      (supabase) => {
        if (left) return;
        const { data } = supabase.auth.onAuthStateChange((event, next) => {
          setSession(next);
          setLoading(false);
          // The client holds its lock during the callback: send its requests in the next task.
          // INITIAL_SESSION counts too: a quick sign-in may be over before we listen. One session is recorded once.
          if ((event === "SIGNED_IN" || event === "INITIAL_SESSION") && next) {
            setLeaving(false);
            setTimeout(() => void recordSignIn(next), 0);
          }
          if (event === "SIGNED_OUT") {
            clearAllDrafts();
            queryClient.clear();
          }
        });
        unsubscribe = () => data.subscription.unsubscribe();
      },
      () => setLoading(false),
    );
    return () => {
      left = true;
      unsubscribe?.();
    };
  }, [listening, queryClient]);

  const user = session?.user ?? null;
  const {
    data: profile,
    isLoading: profileLoading,
    isError: profileFailed,
    refetch,
  } = useQuery({ ...profileQuery(user?.id ?? ""), enabled: user !== null });

  const value = useMemo(
    () => ({
      loading,
      user,
      profile: user ? (profile ?? null) : null,
      profileLoading,
      profileFailed,
      reloadProfile: () => void refetch(),
      leaving,
      listen: () => setListening(true),
      signOut: async () => {
        setLeaving(true);
        const supabase = await getSupabase();
        const { error } = await supabase.auth.signOut();
        // The browser's session is removed even when the request to the server fails.
        if (error) console.warn("Signing out:", error.message);
      },
    }),
    [loading, user, profile, profileLoading, profileFailed, refetch, leaving],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}

export function useSession(): SessionState {
  const state = useContext(SessionContext);
  if (!state) throw new Error("useSession is used outside SessionProvider");
  return state;
}

/** The signed-in user, on pages that a protected route has guarded. */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new Error("This page is for signed-in visitors only");
  return user;
}
