import { type FormEvent, useState } from "react";
import { BackLink } from "@/components/back-link";
import { LoadingScreen } from "@/components/loading-screen";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input } from "@/components/ui/field";
import { useKeptText } from "@/lib/drafts/use-drafts";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import type { Profile } from "@/lib/session/get-profile";
import { useSession, useUser } from "@/lib/session/session-provider";
import { cleanName } from "@/lib/text/visible-text";
import { useUpdateProfile } from "./api/update-profile";
import { AccountCard } from "./components/account-card";
import { ChangeEmailDialog } from "./components/change-email-dialog";
import { EmailField } from "./components/email-field";

export function ProfilePage() {
  const { profile, profileFailed, reloadProfile } = useSession();
  if (profileFailed) {
    return (
      <MessagePage
        title="Your profile could not be loaded"
        text="Nothing of it is lost. Check your connection and try again."
      >
        <PageTitle>Your profile</PageTitle>
        <Button onClick={reloadProfile}>Try Again</Button>
      </MessagePage>
    );
  }
  if (!profile) return <LoadingScreen text="Loading..." />;
  return <ProfileForm key={profile.id} profile={profile} />;
}

function ProfileForm({ profile }: { profile: Profile }) {
  const user = useUser();
  const update = useUpdateProfile();
  const [name, setName] = useKeptText("profile-name", profile.name ?? "");
  const [changingEmail, setChangingEmail] = useState(false);
  const [publicName, setPublicName] = useKeptText("profile-public", profile.public_name ?? "");

  function submit(event: FormEvent) {
    event.preventDefault();
    update.mutate(
      { userId: user.id, name: cleanName(name), publicName: cleanName(publicName) },
      {
        onSuccess: () => notify("Profile updated!"),
        onError: (error) =>
          notifyProblem("Profile error!", errorMessage(error, "Profile update failed")),
      },
    );
  }

  return (
    <div className="shell max-w-2xl py-8 sm:py-12">
      <PageTitle>Your profile</PageTitle>
      <BackLink to="/dashboard">Back to Dashboard</BackLink>
      <h1 className="display-2 mt-4 mb-8">Your Profile</h1>
      <Card>
        <form onSubmit={submit} className="flex flex-col gap-5">
          <Field label="Name">
            {(ids) => (
              <Input
                {...ids}
                value={name}
                onChange={(event) => setName(event.target.value)}
                autoComplete="name"
                maxLength={120}
              />
            )}
          </Field>
          <Field
            label="Public Display Name"
            hint="Shown next to your public designs. Empty, they are by Anonymous."
          >
            {(ids) => (
              <Input
                {...ids}
                value={publicName}
                onChange={(event) => setPublicName(event.target.value)}
                autoComplete="nickname"
                maxLength={60}
              />
            )}
          </Field>
          <EmailField onChange={() => setChangingEmail(true)} />
          <Button type="submit" className="self-start" busy={update.isPending}>
            Update Profile
          </Button>
        </form>
      </Card>
      <ChangeEmailDialog open={changingEmail} onOpenChange={setChangingEmail} />
      <h2 className="display-3 mt-12 mb-6">Your Account</h2>
      <AccountCard />
    </div>
  );
}
