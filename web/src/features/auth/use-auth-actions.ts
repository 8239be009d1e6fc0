/** The three ways in, with the toasts and the form's error text that go with them. */
import { useState } from "react";
import { useLocation, useSearchParams } from "react-router-dom";
import { redirectTarget } from "@/lib/browser/redirect";
import { errorMessage, ServiceError } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useSession } from "@/lib/session/session-provider";
import { PAUSE_SECONDS } from "./api/send-mail";
import { useSignInWithGoogle } from "./api/sign-in-with-google";
import { useSignInWithPassword } from "./api/sign-in-with-password";
import { type Credentials, useSignUp } from "./api/sign-up";
import type { AwaitedMail } from "./components/check-your-mail";
import { returnedError } from "./returned-error";

export function useAuthActions() {
  const { listen, loading, user } = useSession();
  const location = useLocation();
  const [search] = useSearchParams();
  const [error, setError] = useState(() => returnedError(location));
  const [cameWithCode] = useState(() => search.has("code"));
  const [mail, setMail] = useState<AwaitedMail>();
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
    /** The mail with the link that the visitor has to follow first. */
    mail,
    leaveMail() {
      setMail(undefined);
      setError(undefined);
    },
    /** The mail's link was opened in another browser: the address is confirmed, but the visitor is not signed in. */
    openedElsewhere: cameWithCode && !loading && !user && !error,
    busy: signUp.isPending || logIn.isPending || google.isPending,
    signingUp: signUp.isPending,
    signUp(credentials: Credentials) {
      begin();
      signUp.mutate(credentials, {
        onSuccess: ({ needsVerification }) => {
          if (!needsVerification) return;
          setMail({ kind: "signup", email: credentials.email, pause: PAUSE_SECONDS });
          notify("Check your email!", "Verify your email to finish signing up.");
        },
        onError: fail("Sign up error!", "Sign up failed"),
      });
    },
    logIn(credentials: Credentials) {
      begin();
      const refused = fail("Login error!", "Log in failed");
      logIn.mutate(credentials, {
        onError(cause) {
          refused(cause);
          // Auth sends this error only after a correct password, so it reveals nothing.
          if (cause instanceof ServiceError && cause.code === "email_not_confirmed")
            setMail({ kind: "signup", email: credentials.email, pause: 0 });
        },
      });
    },
    continueWithGoogle() {
      begin();
      google.mutate(redirectTarget(search), {
        onError: fail("Google sign in error!", "Google sign in failed"),
      });
    },
  };
}
