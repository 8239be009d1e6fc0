import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { ImageFrame } from "@/components/image-frame";
import { Button } from "@/components/ui/button";
import { imageSource } from "@/lib/browser/image-source";
import { cn } from "@/lib/text/cn";
import { formatMoment } from "@/lib/text/format";
import { revealText } from "@/lib/text/visible-text";
import { reportText } from "@/shop/designs/report-reasons";
import { Cell, ColumnHeads } from "../components/columns";
import type { DesignCaseRow } from "../designs-api/list-design-cases";
import { DesignCasePanel } from "./design-case";

const COLUMNS =
  "lg:grid-cols-[3.5rem_minmax(10rem,2fr)_minmax(12rem,3fr)_minmax(8rem,1fr)_12.5rem_6.5rem]";

export function CaseHeads({ what }: { what: "Reported" | "Taken down" }) {
  return (
    <ColumnHeads
      className={COLUMNS}
      heads={["Picture", "Name", "Reason", "Creator", `${what} since`, "Action"]}
    />
  );
}

export function DesignCaseItem({ row }: { row: DesignCaseRow }) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  return (
    <li>
      <div
        className={`grid grid-cols-[3.5rem_minmax(0,1fr)] items-center gap-x-4 gap-y-2 px-4 py-3 ${COLUMNS}`}
      >
        <ImageFrame
          sources={[imageSource(row.thumbnail)]}
          alt=""
          size={56}
          empty={<span className="text-[0.625rem]">No image</span>}
          className="w-14"
        />
        <Cell label="Name" className="line-clamp-2 font-semibold wrap-anywhere">
          {revealText(row.name)}
        </Cell>
        <Cell label="Reason" className="col-span-2 lg:col-span-1">
          {row.reasons.map((reason) => (
            <span key={reason} className="block">
              {reportText(reason)}
            </span>
          ))}
          {row.reports > 1 ? <span className="text-ink-soft">{row.reports} reports</span> : null}
        </Cell>
        <Cell label="Creator" className="col-span-2 truncate lg:col-span-1">
          {revealText(row.creator)}
        </Cell>
        <Cell label="Since" className="col-span-2 lg:col-span-1">
          {formatMoment(row.since)}
        </Cell>
        <div className="col-span-2 lg:col-span-1">
          <Button
            variant="secondary"
            size="sm"
            aria-label={`${open ? "Close" : "Open"}: ${row.name}`}
            aria-expanded={open}
            aria-controls={panel}
            onClick={() => setOpen(!open)}
          >
            {open ? "Close" : "Open"}
            <ChevronDown
              aria-hidden="true"
              className={cn(
                "transition-transform motion-reduce:transition-none",
                open && "rotate-180",
              )}
            />
          </Button>
        </div>
      </div>
      <div id={panel} hidden={!open}>
        {open ? <DesignCasePanel designId={row.id} /> : null}
      </div>
    </li>
  );
}
