import { useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { Pagination } from "@/components/ui/pagination";
import { errorMessage } from "@/lib/errors/errors";
import { useUser } from "@/lib/session/session-provider";
import { pageCount } from "@/lib/supabase/pagination";
import { DESIGNS_PER_PAGE, useDesigns, useLiveDesigns } from "../api/list-designs";
import { DesignItem } from "./design-item";
import { LoadingRows } from "./loading-rows";
import { PanelMessage } from "./panel-message";

export function DesignsPanel() {
  const user = useUser();
  const [page, setPage] = useState(1);
  const designs = useDesigns(user.id, page);
  useLiveDesigns(user.id);
  const total = designs.data?.total ?? 0;
  const pages = pageCount(total, DESIGNS_PER_PAGE);

  // The last design of the last page may have been deleted.
  if (designs.data && !designs.isPlaceholderData && page > pages) setPage(pages);

  return (
    <Card className="p-0">
      <div className="flex items-baseline justify-between gap-4 border-b border-line px-5 py-4">
        <CardTitle>Your Designs</CardTitle>
        {total > 0 ? <span className="slug tabular-nums">{total} in all</span> : null}
      </div>
      {designs.isPending ? (
        <LoadingRows text="Loading your designs..." rows={DESIGNS_PER_PAGE} pictures />
      ) : designs.isError ? (
        <PanelMessage tone="problem">
          Error: {errorMessage(designs.error, "Your designs could not be loaded.")}
        </PanelMessage>
      ) : designs.data.designs.length === 0 ? (
        <PanelMessage
          next={
            <>
              <Button asChild variant="secondary" size="sm">
                <Link to="/design">Make your first design</Link>
              </Button>
              <Button asChild variant="ghost" size="sm">
                <Link to="/discover">See what others made</Link>
              </Button>
            </>
          }
        >
          You haven't created any designs yet.
        </PanelMessage>
      ) : (
        <ul className="divide-y divide-line px-2" aria-busy={designs.isPlaceholderData}>
          {designs.data.designs.map((design) => (
            <DesignItem key={design.id} design={design} />
          ))}
        </ul>
      )}
      {pages > 1 ? (
        <div className="border-t border-line p-3">
          <Pagination label="Pages of designs" page={page} pages={pages} onPage={setPage} />
        </div>
      ) : null}
    </Card>
  );
}
