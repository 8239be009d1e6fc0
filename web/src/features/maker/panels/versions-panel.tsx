import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { formatMoment } from "@/lib/text/format";
import { useVersions } from "../api/list-versions";
import { useReturnToVersion } from "../api/return-to-version";

interface VersionsPanelProps {
  designId: string;
  /** The draft has become that of another version. */
  onReturned: () => void;
}

/** What was finished before. Nothing is lost by trying something else. */
export function VersionsPanel({ designId, onReturned }: VersionsPanelProps) {
  const versions = useVersions(designId);
  const returning = useReturnToVersion(designId);
  if (!versions.data?.length) return null;

  function returnTo(id: string, number: number) {
    returning.mutate(id, {
      onSuccess: () => {
        notify(`Version ${number} is back`, "The preview and new orders show it from now on.");
        onReturned();
      },
      onError: (error) =>
        notifyProblem("That did not work", errorMessage(error, "Please try again.")),
    });
  }

  return (
    <Card className="flex flex-col gap-2">
      <CardTitle>Versions</CardTitle>
      <ol className="flex flex-col divide-y divide-line">
        {versions.data.map(({ id, number, has_back, created_at, isCurrent }) => (
          <li key={id} className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <p className="min-w-0 flex-1 text-sm">
              <strong className="font-semibold">Version {number}</strong>
              <span className="block text-ink-soft">
                {formatMoment(created_at)}
                {has_back ? ", both sides" : ""}
              </span>
            </p>
            {isCurrent ? (
              <Badge tone="emerald">In use</Badge>
            ) : (
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Return to version ${number}`}
                busy={returning.isPending && returning.variables === id}
                disabled={returning.isPending}
                onClick={() => returnTo(id, number)}
              >
                Return to it
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
