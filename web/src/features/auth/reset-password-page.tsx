/** A forgotten password: requests the mail; the mail's link or code leads back here, to choose a new password. */
import { useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { FormError } from "@/components/forms/form-error";
import { PasswordForm } from "@/components/forms/password-form";
import { LoadingScreen } from "@/components/loading-screen";
import { PageTitle } from "@/components/page-title";
import { redirectTarget } from "@/lib/browser/redirect";
import { errorMessage } from "@/lib/errors/errors";
import { notify } from "@/lib/errors/notify";
import { useSession } from "@/lib/session/session-provider";
import { useSendMail } from "./api/send-mail";
import { AddressForm } from "./components/address-form";
import { AuthCard } from "./components/auth-card";
import { type AwaitedMail, CheckYourMail } from "./components/check-your-mail";
import { redirectSearch } from "./redirect-search";
import { returnedError } from "./returned-error";

const EXPIRED =
  "This link has been used already, or it is too old. Ask for a new mail, and we'll send you another one.";
const ELSEWHERE =
  "This link was opened in another browser than the one that asked for it. Ask for a new mail here; its code works in any browser.";

export function ResetPasswordPage() {
  const { loading, user } = useSession();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  // Read once: the client takes the code out of the address when it has exchanged it.
  const [arrival] = useState(() => ({
    failed: returnedError(location) !== undefined,
    withCode: new URLSearchParams(location.search).has("code"),
  }));
  if (loading) return <LoadingScreen text="Loading..." />;
  if (!user) {
    return (
      <RequestMail note={arrival.failed ? EXPIRED : arrival.withCode ? ELSEWHERE : undefined} />
    );
  }
  return (
    <AuthCard
      title="Choose a new password"
      note={
        <>
          For <strong className="break-all text-ink">{user.email}</strong>. It signs you out
          everywhere else.
        </>
      }
    >
      <PageTitle>Choose a new password</PageTitle>
      <PasswordForm
        email={user.email}
        onDone={() => {
          notify("Password saved!", "You are signed in, and your new password works from now on.");
          void navigate(redirectTarget(search), { replace: true });
        }}
      />
    </AuthCard>
  );
}

function RequestMail({ note }: { note: string | undefined }) {
  const { search, state } = useLocation();
  const [mail, setMail] = useState<AwaitedMail>();
  const send = useSendMail();
  const back = redirectSearch(search);
  return (
    <AuthCard
      title={mail ? "Check your mail" : "Reset your password"}
      note={mail ? undefined : (note ?? "Tell us your address, and we'll mail you a way back in.")}
    >
      <PageTitle>Reset your password</PageTitle>
      {mail ? (
        <CheckYourMail mail={mail} search={back} onBack={() => setMail(undefined)} />
      ) : (
        <AddressForm
          email={addressIn(state)}
          busy={send.isPending}
          submit="Send me the mail"
          onSubmit={(email) =>
            send.mutate(
              { kind: "recovery", email, search: back },
              { onSuccess: (pause) => setMail({ kind: "recovery", email, pause }) },
            )
          }
        />
      )}
      <FormError message={send.error ? errorMessage(send.error, FAILED) : undefined} />
      <p className="border-t border-line pt-4 text-sm text-ink-soft">
        Remembered it?{" "}
        <Link
          to={`/auth${back}`}
          className="font-semibold text-cobalt-text underline underline-offset-4"
        >
          Log in
        </Link>
      </p>
    </AuthCard>
  );
}

const FAILED = "The mail could not be sent. Please try again.";

/** The address that was typed into the sign-in form. */
function addressIn(state: unknown): string {
  const email = (state as { email?: unknown } | null)?.email;
  return typeof email === "string" ? email : "";
}
