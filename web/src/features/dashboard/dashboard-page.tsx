import { Plus } from "lucide-react";
import { Link } from "react-router-dom";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { useSession, useUser } from "@/lib/session/session-provider";
import { useDesigns } from "./api/list-designs";
import { DesignsPanel } from "./components/designs-panel";
import { OrdersPanel } from "./components/orders-panel";

export function DashboardPage() {
  const { profile } = useSession();
  const designs = useDesigns(useUser().id, 1);
  const name = profile?.name?.trim() || profile?.username?.trim();
  return (
    <div className="shell flex flex-col gap-8 py-8 sm:py-12">
      <PageTitle>Dashboard</PageTitle>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div>
          <h1 className="display-2">Welcome back!</h1>
          <p className="mt-2 min-h-14 text-lg text-ink-soft sm:min-h-7">
            {name ? `Hello, ${name}. What shall we print next?` : null}
          </p>
        </div>
        <Button asChild>
          <Link to="/design">
            <Plus aria-hidden="true" />
            Create New Design
          </Link>
        </Button>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <DesignsPanel />
        {/* Below the designs, where their number decides its place: it waits until that is known. */}
        <div className={cn(designs.isPending && "max-lg:hidden")}>
          <OrdersPanel />
        </div>
      </div>
    </div>
  );
}
