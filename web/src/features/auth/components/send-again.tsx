import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { type MailKind, useSendMail } from "../api/send-mail";
import { useCountdown } from "../use-countdown";

interface SendAgainProps {
  kind: MailKind;
  email: string;
  search: string;
  /** Seconds until the first try. */
  pause: number;
}

/** 'Send the mail again', no more often than the authentication service allows. */
export function SendAgain({ kind, email, search, pause }: SendAgainProps) {
  const send = useSendMail();
  const { left, restart } = useCountdown(pause);
  const [sent, setSent] = useState(false);

  function again() {
    setSent(false);
    send.mutate(
      { kind, email, search },
      {
        onSuccess: (seconds) => {
          setSent(true);
          restart(seconds);
        },
      },
    );
  }

  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        variant="secondary"
        size="sm"
        busy={send.isPending}
        disabled={left > 0}
        onClick={again}
      >
        Send the mail again
      </Button>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {sent ? "The mail is on its way." : ""}
      </p>
      {left > 0 ? (
        <p className="text-sm text-ink-soft tabular-nums">You can ask for another in {left} s.</p>
      ) : null}
      <FormError message={send.error ? errorMessage(send.error, FAILED) : undefined} />
    </div>
  );
}

const FAILED = "The mail could not be sent. Please try again.";
