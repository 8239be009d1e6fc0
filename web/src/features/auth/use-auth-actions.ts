/** The three ways in, with the toasts and the form's error text that go with them. */
import { useState } from "react";
import { useLocation, useSearchParams } from "react-router-dom";
import { errorMessage } from "@/lib/errors";
import { notify, notifyProblem } from "@/lib/notify";
import { redirectTarget } from "@/lib/redirect";
import { useSession } from "@/lib/session/session-provider";
import { useSignInWithGoogle } from "./api/sign-in-with-google";
import { useSignInWithPassword } from "./api/sign-in-with-password";
import { type Credentials, useSignUp } from "./api/sign-up";
import { returnedError } from "./returned-error";

export function useAuthActions() {
  const { listen, loading, user } = useSession();
  const location = useLocation();
  const [search] = useSearchParams();
  const [error, setError] = useState(() => returnedError(location));
  const [cameWithCode] = useState(() => search.has("code"));
  const [mailSentTo, setMailSentTo] = useState<string>();
  const signUp = useSignUp();
  const logIn = useSignInWithPassword();
  const google = useSignInWithGoogle();

  function fail(title: string, fallback: string) {
    return (cause: Error) => {
      const message = errorMessage(cause, fallback);
      setError(message);
      notifyProblem(title, message);
    };
  }

  function begin() {
    listen();
    setError(undefined);
  }

  return {
    error,
    clearError: () => setError(undefined),
    mailSentTo,
    /** The link of the mail was opened where the sign-up did not begin: the address is confirmed, the sign-in is not. */
    openedElsewhere: cameWithCode && !loading && !user && !error,
    busy: signUp.isPending || logIn.isPending || google.isPending,
    signingUp: signUp.isPending,
    signUp(credentials: Credentials) {
      begin();
      signUp.mutate(credentials, {
        onSuccess: ({ needsVerification }) => {
          if (!needsVerification) return;
          setMailSentTo(credentials.email);
          notify("Check your email!", "Verify your email to finish signing up.");
        },
        onError: fail("Sign up error!", "Sign up failed"),
      });
    },
    logIn(credentials: Credentials) {
      begin();
      logIn.mutate(credentials, { onError: fail("Login error!", "Log in failed") });
    },
    continueWithGoogle() {
      begin();
      google.mutate(redirectTarget(search), {
        onError: fail("Google sign in error!", "Google sign in failed"),
      });
    },
  };
}
