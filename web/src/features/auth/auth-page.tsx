import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { FormError } from "@/components/forms/form-error";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { useSession } from "@/lib/session/session-provider";
import { AuthCard } from "./components/auth-card";
import { CheckYourMail } from "./components/check-your-mail";
import { EmailForm } from "./components/email-form";
import { GoogleIcon } from "./components/google-icon";
import { useAuthActions } from "./use-auth-actions";
import { useLeaveWhenSignedIn } from "./use-leave-when-signed-in";

type Mode = "login" | "signup";

const TEXTS = {
  login: {
    title: "Welcome back!",
    google: "Continue with Google",
    submit: "Log in",
    question: "New to Teesmith?",
    toggle: "Create an account",
  },
  signup: {
    title: "Create your account",
    google: "Sign up with Google",
    submit: "Create account",
    question: "Already have an account?",
    toggle: "Log in",
  },
} as const;

export function AuthPage() {
  useLeaveWhenSignedIn();
  const [search] = useSearchParams();
  const [mode, setMode] = useState<Mode>("login");
  const [emailOpen, setEmailOpen] = useState(false);
  const actions = useAuthActions();
  const texts = TEXTS[mode];
  const { ended } = useSession();
  const note = search.has("redirect")
    ? "You'll be redirected back to continue with your design after signing in."
    : actions.openedElsewhere
      ? "Your link was opened in another browser than the one you signed up in. Your email is confirmed: log in to continue."
      : undefined;

  return (
    <AuthCard title={texts.title} note={note}>
      <PageTitle>{mode === "login" ? "Log in" : "Sign up"}</PageTitle>
      {ended ? (
        <p role="status" className="rounded-lg border border-line-strong bg-sunk p-4 text-sm">
          <strong className="block text-base">Please sign in again</strong>
          You were signed out. What you had filled in waits for you here, and for nobody else.
        </p>
      ) : null}
      {actions.mail ? (
        <CheckYourMail mail={actions.mail} search="" onBack={actions.leaveMail} />
      ) : emailOpen ? (
        <>
          <EmailForm
            key={mode}
            mode={mode}
            busy={actions.busy}
            submit={actions.signingUp ? "Creating account..." : texts.submit}
            onSubmit={mode === "login" ? actions.logIn : actions.signUp}
          />
          <Button variant="ghost" size="sm" onClick={() => setEmailOpen(false)}>
            ← Back to sign in options
          </Button>
        </>
      ) : (
        <>
          <Button variant="secondary" busy={actions.busy} onClick={actions.continueWithGoogle}>
            {actions.busy ? null : <GoogleIcon />}
            {texts.google}
          </Button>
          <Button onClick={() => setEmailOpen(true)}>Continue with email</Button>
        </>
      )}
      <FormError message={actions.error} />
      <p className="border-t border-line pt-4 text-sm text-ink-soft">
        {texts.question}{" "}
        <Button
          variant="link"
          size="inline"
          onClick={() => {
            actions.leaveMail();
            setMode(mode === "login" ? "signup" : "login");
          }}
        >
          {texts.toggle}
        </Button>
      </p>
    </AuthCard>
  );
}
