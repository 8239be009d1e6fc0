/**
 * Who is signed in. The Supabase client is loaded only when there is something to ask it: a stored session,
 * or an address that carries a sign-in back (`?code=`, `#access_token=`, `?error=`).
 */
import type { Session, User } from "@supabase/supabase-js";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { forgetDrafts, storeOpenDrafts } from "@/lib/drafts/open-drafts";
import { getSupabase } from "@/lib/supabase/client";
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
  /** The session ended by itself: it was too old, revoked, or ended in another tab. */
  ended: boolean;
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
  ended: false,
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
  const [end, setEnd] = useState<"left" | "ended">();
  const leaves = useRef(false);
  const owner = useRef<string>(undefined);

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
          if (next && owner.current !== next.user.id) {
            // What another person left in this browser is nobody's business.
            if (owner.current) queryClient.clear();
            owner.current = next.user.id;
            void forgetDrafts(next.user.id);
          }
          // The client holds its lock during the callback: send its requests in the next task.
          // INITIAL_SESSION counts too: a quick sign-in may be over before we listen. One session is recorded once.
          if ((event === "SIGNED_IN" || event === "INITIAL_SESSION") && next) {
            leaves.current = false;
            setEnd(undefined);
            setTimeout(() => void recordSignIn(next), 0);
          }
          if (event === "SIGNED_OUT") {
            if (!leaves.current) storeOpenDrafts();
            setEnd(leaves.current ? "left" : "ended");
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
      leaving: end === "left",
      ended: end === "ended",
      listen: () => setListening(true),
      signOut: async () => {
        leaves.current = true;
        setEnd("left");
        const supabase = await getSupabase();
        // Before the other tabs hear of it: they store what they still show.
        await forgetDrafts();
        const { error } = await supabase.auth.signOut({ scope: "global" });
        if (!error) return;
        console.warn("Signing out everywhere:", error.message);
        await supabase.auth.signOut({ scope: "local" });
      },
    }),
    [loading, user, profile, profileLoading, profileFailed, refetch, end],
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
