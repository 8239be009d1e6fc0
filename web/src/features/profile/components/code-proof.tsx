import { type FormEvent, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { errorMessage } from "@/lib/errors/errors";
import { useUser } from "@/lib/session/session-provider";
import { useSendCode } from "../api/send-code";

interface CodeProofProps {
  busy: boolean;
  failure: string | undefined;
  onProof: (proof: { code: string }) => void;
}

/** Deletes by a mailed code, for accounts without a password. */
export function CodeProof({ busy, failure, onProof }: CodeProofProps) {
  const { email = "" } = useUser();
  const send = useSendCode();
  const [code, setCode] = useState("");
  const digits = code.replaceAll(/\s/g, "");
  const unsent = send.error && errorMessage(send.error, "The mail could not be sent.");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (/^\d{6,10}$/.test(digits)) onProof({ code: digits });
  }

  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={submit}>
      <div className="flex flex-col items-start gap-2">
        <p className="text-sm">
          You have no password, so we mail a code to <strong className="break-all">{email}</strong>.
        </p>
        <Button
          variant="secondary"
          size="sm"
          busy={send.isPending}
          onClick={() => send.mutate(email)}
        >
          {send.isSuccess ? "Send another code" : "Mail me a code"}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:hidden">
          {send.isSuccess ? "The mail is on its way." : ""}
        </p>
      </div>
      <Field label="Code from the mail">
        {(ids) => (
          <Input
            {...ids}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={16}
            className="font-semibold tracking-[0.3em] tabular-nums"
            required
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="danger"
        busy={busy}
        disabled={digits.length < 6}
        className="w-full"
      >
        Delete for good
      </Button>
      <FormError message={failure ?? unsent ?? undefined} />
    </form>
  );
}
