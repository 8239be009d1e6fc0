import { MailCheck } from "lucide-react";

/** Stays on the page after the toast has gone: the visitor may need a while to find the mail. */
export function CheckYourMail({ address }: { address: string }) {
  return (
    <div role="status" className="flex gap-3 rounded-lg border border-line bg-sunk p-4">
      <MailCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-mint-text" />
      <p className="text-sm">
        We sent a link to <strong className="break-all">{address}</strong>. Open it in this browser
        to finish signing up. No mail after a minute? Look in your spam folder.
      </p>
    </div>
  );
}
