import { Globe, Lock } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useSession, useUser } from "@/lib/session/session-provider";
import { askForReview } from "../api/ask-for-review";
import type { DesignRow } from "../api/list-designs";
import { usePublishDesign } from "../api/publish-design";
import { useUnpublishDesign } from "../api/unpublish-design";
import { PublicNameDialog } from "./public-name-dialog";

const WAITING =
  "It shows a picture of your own, and we look at those before everybody sees them. You can make it public afterwards.";

interface VisibilityToggleProps {
  design: DesignRow;
  /** Called after the design became private, and after it became public again. */
  onChanged: (madePrivate: boolean) => void;
}

export function VisibilityToggle({ design, onChanged }: VisibilityToggleProps) {
  const user = useUser();
  const { profile } = useSession();
  const [asking, setAsking] = useState(false);
  const publish = usePublishDesign();
  const unpublish = useUnpublishDesign();
  const named = Boolean(profile?.public_name?.trim());

  async function makePublic(newPublicName?: string) {
    setAsking(false);
    try {
      await publish.mutateAsync({ designId: design.id, userId: user.id, newPublicName });
      onChanged(false);
      notify("Design shared!", "Your design is now public and can be discovered by others.");
    } catch (problem) {
      const waits = await askForReview(design.id, problem).catch(() => false);
      if (waits) notify("We'll look at it first", WAITING);
      else notifyProblem("Error", "Failed to make design public. Please try again.");
    }
  }

  async function makePrivate() {
    try {
      await unpublish.mutateAsync(design.id);
      onChanged(true);
      notify("Design made private", "Your design is no longer public.");
    } catch {
      notifyProblem("Error", "Failed to make design private. Please try again.");
    }
  }

  function toggle() {
    if (design.isPublic) void makePrivate();
    else if (named) void makePublic();
    else setAsking(true);
  }

  const busy = publish.isPending || unpublish.isPending;
  const label = publish.isPending
    ? "Making Public..."
    : unpublish.isPending
      ? "Making Private..."
      : design.isPublic
        ? "Public"
        : "Private";

  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        busy={busy}
        aria-pressed={design.isPublic}
        aria-label={busy ? label : `${label}: ${design.name}`}
        title={
          design.isPublic
            ? "Anyone can find it in the gallery"
            : design.linkKey
              ? "Not in the gallery. Only those who have its new link can see it."
              : "Not in the gallery. Anyone with the link can still see it."
        }
        onClick={toggle}
      >
        {busy ? null : design.isPublic ? <Globe aria-hidden="true" /> : <Lock aria-hidden="true" />}
        {label}
      </Button>
      <PublicNameDialog open={asking} onOpenChange={setAsking} onConfirm={makePublic} />
    </>
  );
}
