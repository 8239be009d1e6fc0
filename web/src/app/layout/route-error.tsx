import { useRouteError } from "react-router-dom";
import { MessagePage } from "@/components/message-page";
import { Button } from "@/components/ui/button";

/** Shown when a page fails to load or to render. The cause goes to the console. */
export function RouteError() {
  const error = useRouteError();
  console.error(error);
  return (
    <MessagePage
      title="Something smudged"
      text="This page failed to load. Nothing that you saved is lost. Load it again, or go back to the start."
    >
      <Button onClick={() => location.reload()}>Load again</Button>
      <Button asChild variant="secondary">
        {/* A full load on purpose: the running script may be the cause. */}
        <a href="/">Go to the start</a>
      </Button>
    </MessagePage>
  );
}
