import { Plus } from "lucide-react";
import { Link } from "react-router-dom";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { useSession, useUser } from "@/lib/session/session-provider";
import { cn } from "@/lib/text/cn";
import { useDesigns } from "./api/list-designs";
import { useOrders } from "./api/list-orders";
import { DesignsPanel } from "./components/designs-panel";
import { OrdersPanel } from "./components/orders-panel";

const DAY_MS = 86_400_000;

export function DashboardPage() {
  const { profile } = useSession();
  const user = useUser();
  const designs = useDesigns(user.id, 1);
  const orders = useOrders(user.id);
  const name = profile?.name?.trim() || profile?.username?.trim();
  const has = (designs.data?.total ?? 0) + (orders.data?.pages[0]?.orders.length ?? 0);
  const isNew = has === 0 && isRecent(user.created_at);
  return (
    <div className="shell flex flex-col gap-8 py-8 sm:py-12">
      <PageTitle>Dashboard</PageTitle>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div>
          <h1 className="display-2">{isNew ? "Welcome!" : "Welcome back!"}</h1>
          <p className="mt-2 min-h-14 text-lg text-ink-soft sm:min-h-7">
            {name ? `Hello, ${name}. ` : null}
            {isNew
              ? "Your first shirt begins with an idea, or with a photo."
              : "What shall we print next?"}
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

/** An account of the last day: nobody comes back to it yet. */
function isRecent(createdAt: string): boolean {
  return Date.now() - Date.parse(createdAt) < DAY_MS;
}
