import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { PASSWORD_RULE } from "@/components/forms/password-input";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { saveFile } from "@/lib/browser/save-file";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useSession, useUser } from "@/lib/session/session-provider";
import { useExportAccount } from "../api/export-account";
import { hasPasswordQuery } from "../api/has-password";
import { AccountRow } from "./account-row";
import { DeleteAccountDialog } from "./delete-account-dialog";
import { PasswordDialog } from "./password-dialog";

type Opened = "password" | "delete";

/** What a person may do with the account as a whole. */
export function AccountCard() {
  const user = useUser();
  const { data: hasPassword } = useQuery(hasPasswordQuery(user.id));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <Card>
      <AccountRow
        title="Password"
        text={
          hasPassword === false
            ? "You sign in without one so far. With a password you can sign in by your email too."
            : `${PASSWORD_RULE} A new one signs you out everywhere else.`
        }
      >
        <Button variant="secondary" onClick={() => setOpened("password")}>
          {hasPassword === false ? "Set a password" : "Change password"}
        </Button>
      </AccountRow>
      <SignOutRow />
      <DownloadRow />
      <AccountRow
        title="Delete your account"
        text="Your designs, likes and saved addresses go for good. It can't be undone."
      >
        <Button variant="danger" onClick={() => setOpened("delete")}>
          Delete my account
        </Button>
      </AccountRow>
      <PasswordDialog
        isFirst={hasPassword === false}
        open={opened === "password"}
        onClose={close}
      />
      <DeleteAccountDialog hasPassword={hasPassword} open={opened === "delete"} onClose={close} />
    </Card>
  );
}

function SignOutRow() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function leave() {
    setBusy(true);
    await signOut();
    void navigate("/");
    notify("Signed out everywhere", "No browser or phone has your account open any more.");
  }

  return (
    <AccountRow
      title="Sign out everywhere"
      text="Ends your sessions in every browser and on every phone, here too."
    >
      <Button variant="secondary" busy={busy} onClick={() => void leave()}>
        Sign out everywhere
      </Button>
    </AccountRow>
  );
}

function DownloadRow() {
  const copy = useExportAccount();

  function download() {
    copy.mutate(undefined, {
      onSuccess: (file) => saveFile(file, "teesmith-account.zip"),
      onError: (error) =>
        notifyProblem("Download failed", errorMessage(error, "Your data could not be collected.")),
    });
  }

  return (
    <AccountRow
      title="Your data"
      text="Everything we have of you in one ZIP file: your profile, designs with their pictures, likes, addresses and orders."
    >
      <Button variant="secondary" busy={copy.isPending} onClick={download}>
        Download my data
      </Button>
    </AccountRow>
  );
}
