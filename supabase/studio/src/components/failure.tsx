/** An error with the detail and hint of Postgres. */
import { ApiError } from "../api/calls";

export function Failure({ error }: { error: Error }) {
  const more = error instanceof ApiError ? error.more : {};
  return (
    <div role="alert" className="rounded-lg border border-danger bg-raised p-3 text-sm text-ink">
      <p className="font-semibold text-danger">
        {error.message}
        {more.code ? <span className="font-mono font-normal"> ({more.code})</span> : null}
      </p>
      {more.detail ? <p>{more.detail}</p> : null}
      {more.hint ? <p className="text-ink-soft">{more.hint}</p> : null}
    </div>
  );
}
