import type { ReactNode } from "react";
import { Card, CardTitle } from "@/components/ui/card";
import { SUPPORT_EMAIL } from "@/shop/support";

/** Whom to write to about an order; `children` follow. */
export function OrderHelp({ number, children }: { number: string; children?: ReactNode }) {
  return (
    <Card>
      <CardTitle className="mb-4">Help</CardTitle>
      <p className="text-ink-soft">
        Write to <SupportLink /> and name order {number}.
      </p>
      {children}
    </Card>
  );
}

export function SupportLink() {
  return (
    <a
      href={`mailto:${SUPPORT_EMAIL}`}
      className="wrap-anywhere text-cobalt-text underline underline-offset-4"
    >
      {SUPPORT_EMAIL}
    </a>
  );
}
