import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";

interface LoadFailedProps {
  error: unknown;
  retrying: boolean;
  onRetry: () => void;
}

/** The page's data could not be loaded: says nothing about the content and offers a retry. */
export function LoadFailed({ error, retrying, onRetry }: LoadFailedProps) {
  const text = errorMessage(error, "Something went wrong on our side. Please try again.");
  return (
    <MessagePage title="This didn't load" text={text}>
      <PageTitle>This didn't load</PageTitle>
      <Button busy={retrying} onClick={onRetry}>
        Try Again
      </Button>
    </MessagePage>
  );
}
