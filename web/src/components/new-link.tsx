import { useState } from "react";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyInfo, notifyProblem } from "@/lib/errors/notify";
import { copyText } from "@/lib/text/copy-text";
import { useEndDesignLink } from "@/shop/designs/end-design-link";
import { designPath } from "@/shop/designs/link-key";
import { ConfirmDialog } from "./ui/alert-dialog";
import { Button } from "./ui/button";

/** For the owner of a private design: a new link in place of the one that others have. */
export function NewLink({ designId }: { designId: string }) {
  const [asking, setAsking] = useState(false);
  const end = useEndDesignLink();

  async function makeNewLink() {
    try {
      const url = location.origin + designPath(designId, await end.mutateAsync(designId));
      const text = "The link from before opens nothing any more.";
      if (await copyText(url)) notify("New link copied!", text);
      else notifyInfo(`Share this design: ${url}`, text);
    } catch (error) {
      notifyProblem("Error", errorMessage(error, "The link could not be ended. Please try again."));
    }
  }

  return (
    <>
      <Button variant="link" size="inline" busy={end.isPending} onClick={() => setAsking(true)}>
        Make a new link
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Make a new link?"
        description="The link that others have so far opens nothing any more, for everybody. Only the new one, which we copy for you, opens this design. If you make the design public, the old link works again."
        confirm="Make a new link"
        onConfirm={makeNewLink}
      />
    </>
  );
}
