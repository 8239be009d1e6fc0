import { Link, useLocation } from "react-router-dom";
import { FormError } from "@/components/forms/form-error";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { AuthCard } from "./components/auth-card";
import { CheckYourMail } from "./components/check-your-mail";
import { EmailForm } from "./components/email-form";
import { GoogleIcon } from "./components/google-icon";
import { useAuthActions } from "./use-auth-actions";
import { useLeaveWhenSignedIn } from "./use-leave-when-signed-in";

export function SignUpPage() {
  useLeaveWhenSignedIn();
  const { search } = useLocation();
  const actions = useAuthActions();
  const submit = actions.signingUp ? "Creating account..." : "Sign up with email";

  return (
    <AuthCard
      title="Create your account"
      note="Designing is free. You pay only for a shirt that you order."
    >
      <PageTitle>Sign up</PageTitle>
      {actions.mail ? (
        <CheckYourMail mail={actions.mail} search="" onBack={actions.leaveMail} />
      ) : (
        <>
          <Button variant="secondary" disabled={actions.busy} onClick={actions.continueWithGoogle}>
            <GoogleIcon />
            Sign up with Google
          </Button>
          <p
            aria-hidden="true"
            className="flex items-center gap-3 text-sm text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
          >
            or
          </p>
          <EmailForm mode="signup" busy={actions.busy} submit={submit} onSubmit={actions.signUp} />
        </>
      )}
      <FormError message={actions.error} />
      <p className="border-t border-line pt-4 text-sm text-ink-soft">
        Already have an account?{" "}
        <Link
          to={`/auth${search}`}
          className="font-semibold text-cobalt-text underline underline-offset-4"
        >
          Log in
        </Link>
      </p>
    </AuthCard>
  );
}
