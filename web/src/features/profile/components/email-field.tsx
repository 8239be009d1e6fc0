import { useState } from "react";
import { useLocation } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { useUser } from "@/lib/session/session-provider";
import { emailNotice } from "../email-return";

/** The account's address: it is changed elsewhere, and only once both addresses have confirmed. */
export function EmailField({ onChange }: { onChange: () => void }) {
  const user = useUser();
  const location = useLocation();
  // Read once: the client takes the code out of the address when it has exchanged it.
  const [arrival] = useState(location);
  const notice = emailNotice(arrival.search, arrival.hash, user);
  return (
    <div className="flex flex-col gap-3">
      <Field label="Email">
        {(ids) => (
          <div className="flex flex-wrap gap-3">
            <Input
              {...ids}
              type="email"
              value={user.email ?? ""}
              readOnly
              className="min-w-0 flex-1 basis-56"
            />
            <Button variant="secondary" onClick={onChange}>
              Change email
            </Button>
          </div>
        )}
      </Field>
      <p
        role="status"
        className="rounded-lg border border-line bg-sunk px-4 py-3 text-sm wrap-anywhere empty:hidden"
      >
        {notice}
      </p>
    </div>
  );
}
