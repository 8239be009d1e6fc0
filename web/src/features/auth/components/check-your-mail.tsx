import { MailCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import type { MailKind } from "../api/send-mail";
import { CodeForm } from "./code-form";
import { SendAgain } from "./send-again";

export interface AwaitedMail {
  kind: MailKind;
  email: string;
  /** Seconds until the next mail may be requested; 0 before the first one. */
  pause: number;
}

interface CheckYourMailProps {
  mail: AwaitedMail;
  search: string;
  onBack: () => void;
}

/** Stays on the page after the toast has gone: the visitor may need a while to find the mail. */
export function CheckYourMail({ mail, search, onBack }: CheckYourMailProps) {
  const { kind, email, pause } = mail;
  return (
    <div className="flex flex-col gap-5">
      <div role="status" className="flex gap-3 rounded-lg border border-line bg-sunk p-4">
        <MailCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-mint-text" />
        <p className="text-sm">{said(mail)}</p>
      </div>
      <CodeForm kind={kind} email={email} />
      <SendAgain kind={kind} email={email} search={search} pause={pause} />
      <Button variant="ghost" size="sm" onClick={onBack}>
        ← Use another address
      </Button>
    </div>
  );
}

function said({ kind, email, pause }: AwaitedMail): ReactNode {
  const address = <strong className="break-all">{email}</strong>;
  if (pause === 0) {
    return (
      <>
        Your address {address} isn't confirmed yet. Open the link in our mail, or type its code
        here. The mail is lost? Send it again.
      </>
    );
  }
  if (kind === "signup") {
    return (
      <>
        We sent a link to {address}. Open it in this browser to finish signing up, or type the
        mail's code here. No mail after a minute? Look in your spam folder.
      </>
    );
  }
  return (
    <>
      If there is an account for {address}, a mail is on its way. Open its link in this browser, or
      type its code here. No mail after a minute? Look in your spam folder.
    </>
  );
}
