import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { errorMessage } from "@/lib/errors/errors";

interface AdminListProps {
  query: UseQueryResult;
  problem: string;
  empty: string;
  loading: string;
  header?: ReactNode;
  /** The rows. */
  children: ReactNode[];
}

const ROWS = [1, 2, 3, 4, 5];

/** A list of the panel in its four states: loading, failed (with another try), empty, filled. */
export function AdminList(props: AdminListProps) {
  const { query } = props;
  if (query.isPending) {
    return (
      <div role="status" className="rounded-card border border-line bg-raised p-4">
        <span className="sr-only">{props.loading}</span>
        {ROWS.map((place) => (
          <Skeleton key={place} className="my-3 h-10 w-full" />
        ))}
      </div>
    );
  }
  if (query.isError) {
    return (
      <div
        role="alert"
        className="flex flex-col items-center gap-3 rounded-card border border-line bg-raised px-5 py-12 text-center"
      >
        <h3 className="text-xl">{props.problem}</h3>
        <p className="text-ink-soft">
          {errorMessage(query.error, "The list could not be loaded.")}
        </p>
        <Button variant="secondary" busy={query.isFetching} onClick={() => query.refetch()}>
          Try Again
        </Button>
      </div>
    );
  }
  if (props.children.length === 0) {
    return (
      <p className="rounded-card border border-line bg-raised px-5 py-12 text-center text-ink-soft">
        {props.empty}
      </p>
    );
  }
  return (
    <div className="overflow-hidden rounded-card border border-line bg-raised text-sm shadow-plate">
      {props.header}
      <ul className="divide-y divide-line">{props.children}</ul>
    </div>
  );
}
