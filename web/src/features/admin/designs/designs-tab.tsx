import { Link } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { Badge } from "@/components/ui/badge";
import { imageSource } from "@/lib/browser/image-source";
import { formatDate, formatNumber } from "@/lib/text/format";
import { AdminList } from "../components/admin-list";
import { Cell, ColumnHeads } from "../components/columns";
import { StatCards } from "../components/stat-cards";
import { useDesignStats } from "../designs-api/get-design-stats";
import { type RecentDesign, useRecentDesigns } from "../designs-api/list-recent-designs";
import { ReportedDesigns, TakenDownDesigns } from "./design-cases";

const COLUMNS = "lg:grid-cols-[3.5rem_minmax(12rem,3fr)_minmax(8rem,1fr)_7rem_7rem]";

export function DesignsTab() {
  const designs = useRecentDesigns();
  const stats = useDesignStats();
  const figure = (count: number | undefined) =>
    stats.isError ? "–" : count !== undefined ? formatNumber(count) : undefined;
  return (
    <div className="flex flex-col gap-5">
      <StatCards
        stats={[
          { label: "Designs", value: figure(stats.data?.total) },
          { label: "Published", value: figure(stats.data?.printable) },
          {
            label: "Drafts",
            value: figure(stats.data && stats.data.total - stats.data.printable),
          },
          { label: "New this week", value: figure(stats.data?.new_this_week) },
        ]}
      />
      <ReportedDesigns />
      <TakenDownDesigns />
      <h2 className="-mb-2 text-xl tracking-tight">Newest designs</h2>
      <AdminList
        query={designs}
        problem="Error loading designs"
        empty="No designs found"
        loading="Loading designs..."
        header={
          <ColumnHeads
            className={COLUMNS}
            heads={["Picture", "Name", "Creator", "Created", "Status"]}
          />
        }
      >
        {(designs.data ?? []).map((design) => (
          <DesignRow key={design.id} design={design} />
        ))}
      </AdminList>
    </div>
  );
}

function DesignRow({ design }: { design: RecentDesign }) {
  const published = design.printify_product_id !== null;
  return (
    <li
      className={`relative grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-sunk/60 ${COLUMNS}`}
    >
      <ImageFrame
        sources={[imageSource(design.thumbnail)]}
        alt=""
        size={56}
        empty={<span className="text-[0.625rem]">No image</span>}
        className="row-span-3 w-14 lg:row-span-1"
      />
      <Link
        to={`/design/${design.id}`}
        className="col-span-2 truncate text-base font-semibold after:absolute after:inset-0 hover:underline lg:col-span-1 lg:text-sm"
      >
        {design.name}
      </Link>
      <Cell label="Creator" className="truncate">
        {design.creator}
      </Cell>
      <Cell label="Created">{formatDate(design.created_at)}</Cell>
      <div className="col-start-2 lg:col-start-auto">
        <Badge tone={published ? "emerald" : "grey"}>{published ? "Published" : "Draft"}</Badge>
      </div>
    </li>
  );
}
