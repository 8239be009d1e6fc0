import type { ReactNode } from "react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { imageSource } from "@/lib/browser/image-source";
import { errorMessage } from "@/lib/errors/errors";
import { formatDate, formatMoment } from "@/lib/text/format";
import { revealText } from "@/lib/text/visible-text";
import { useDesign } from "@/shop/designs/get-design";
import { reportText } from "@/shop/designs/report-reasons";
import { type DesignCase, useDesignCase } from "../designs-api/get-design-case";
import { CopyList } from "./copy-list";
import { DecideDialog, type Question } from "./decide-dialog";
import { DecisionEntry } from "./decision-entry";

/** All that belongs to a design's case, and the decisions on it. */
export function DesignCasePanel({ designId }: { designId: string }) {
  const found = useDesignCase(designId);
  if (found.isPending) {
    return (
      <div role="status" className="px-4 pb-5">
        <span className="sr-only">Loading the design...</span>
        <Skeleton className="h-40 w-full" />
      </div>
    );
  }
  if (found.isLoadingError) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-4 px-4 pb-5">
        <p>{errorMessage(found.error, "The design could not be loaded.")}</p>
        <Button
          variant="secondary"
          size="sm"
          busy={found.isFetching}
          onClick={() => found.refetch()}
        >
          Try Again
        </Button>
      </div>
    );
  }
  return <Case design={found.data} />;
}

function Case({ design }: { design: DesignCase }) {
  const [asking, setAsking] = useState<Question>();
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const picture = useDesign(design.id);
  const { creator } = design;
  const openReports = design.reports.filter((report) => report.is_open).length;

  return (
    <section
      aria-label={`Design ${design.name.slice(0, 60)}`}
      className="grid gap-6 border-t border-line bg-paper px-4 py-5 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]"
    >
      <div className="flex flex-col gap-4">
        <ImageFrame
          sources={[imageSource(picture.data?.image_data)]}
          alt={design.name}
          size={640}
          empty="No picture"
          className="halftone rounded-card border border-line"
        />
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={design.taken_down ? "red" : design.is_public ? "emerald" : "grey"}>
            {design.taken_down ? "Taken down" : design.is_public ? "In the gallery" : "Private"}
          </Badge>
          <Link
            to={`/design/${design.id}`}
            className="font-semibold text-cobalt-text underline underline-offset-4"
          >
            See its page
          </Link>
        </p>
        <div className="flex flex-wrap gap-3">
          {openReports > 0 ? (
            <Button size="sm" variant="secondary" onClick={() => setAsking("keep")}>
              Keep it
            </Button>
          ) : null}
          {design.taken_down ? (
            <Button size="sm" onClick={() => setAsking("restore")}>
              Restore
            </Button>
          ) : (
            <Button size="sm" variant="danger" onClick={() => setAsking("take_down")}>
              Take down
            </Button>
          )}
        </div>
        {design.held_orders > 0 ? (
          <p className="text-sm">
            {design.held_orders} paid {design.held_orders === 1 ? "order" : "orders"} of it{" "}
            {design.held_orders === 1 ? "waits" : "wait"}.{" "}
            <Link
              to="/admin?tab=orders"
              className="font-semibold text-cobalt-text underline underline-offset-4"
            >
              Decide in Orders
            </Link>
          </p>
        ) : null}
      </div>
      <div className="grid content-start gap-6 xl:grid-cols-2">
        <Part title="Reports" empty="Nobody has reported it.">
          {design.reports.map((report) => (
            <li key={report.id}>
              <span className="block font-semibold">{reportText(report.reason)}</span>
              <span className="block text-ink-soft tabular-nums">
                {formatMoment(report.created_at)} · {report.is_open ? "Open" : "Decided"}
              </span>
              {report.words ? (
                <span className="block wrap-anywhere">{revealText(report.words)}</span>
              ) : null}
            </li>
          ))}
        </Part>
        <Part title="Decisions" empty="None so far.">
          {design.decisions.map((each) => (
            <DecisionEntry key={each.id} decision={each} />
          ))}
        </Part>
        <Part title="Creator" empty="">
          <li>
            <span className="block font-semibold">{revealText(creator.name)}</span>
            <span className="block text-ink-soft">
              {[
                creator.public_name ? `Publishes as ${revealText(creator.public_name)}` : null,
                creator.since ? `here since ${formatDate(creator.since)}` : null,
                `${creator.designs} ${creator.designs === 1 ? "design" : "designs"}`,
                `${creator.taken_down} taken down`,
              ]
                .filter(Boolean)
                .join(", ")}
            </span>
          </li>
          {creator.decisions.map((each) => (
            <DecisionEntry key={each.id} decision={each} names />
          ))}
        </Part>
        <CopyList copies={design.copies} ticked={ticked} onTick={setTicked} />
      </div>
      <DecideDialog
        design={design}
        question={asking}
        copies={ticked}
        onClose={(decided) => {
          setAsking(undefined);
          if (decided) setTicked([]);
        }}
      />
    </section>
  );
}

interface PartProps {
  title: string;
  /** Said in place of an empty list. */
  empty: string;
  children: ReactNode;
}

function Part({ title, empty, children }: PartProps) {
  const isEmpty = Array.isArray(children) && children.length === 0;
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-base tracking-tight">{title}</h3>
      {isEmpty ? (
        <p className="text-ink-soft">{empty}</p>
      ) : (
        <ul className="flex max-h-96 flex-col gap-2.5 overflow-y-auto">{children}</ul>
      )}
    </div>
  );
}
