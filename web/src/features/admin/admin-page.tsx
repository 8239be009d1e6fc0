import { Tabs } from "radix-ui";
import type { ComponentType } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { LoadingScreen } from "@/components/loading-screen";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { useSession, useUser } from "@/lib/session/session-provider";
import { useAdminAccess } from "./api/check-admin-access";
import { useFlaggedOrders } from "./api/list-flagged-orders";
import { DesignsTab } from "./designs/designs-tab";
import { useDesignCases } from "./designs-api/list-design-cases";
import { OrdersTab } from "./orders/orders-tab";
import { UsersTab } from "./users/users-tab";
import { WebhookTab } from "./webhook/webhook-tab";

interface Tab {
  value: string;
  label: string;
  Content: ComponentType;
  /** How much of it waits. */
  Count?: ComponentType;
}

const TABS: Tab[] = [
  { value: "webhook", label: "Webhook", Content: WebhookTab },
  { value: "users", label: "Users", Content: UsersTab },
  { value: "orders", label: "Orders", Content: OrdersTab, Count: FlaggedCount },
  { value: "designs", label: "Designs", Content: DesignsTab, Count: ReportedCount },
];
const FIRST_SHOWN = "users";

export function AdminPage() {
  const user = useUser();
  const { profile, profileLoading } = useSession();
  const isAdmin = profile?.is_admin === true;
  const access = useAdminAccess(user.id, !profileLoading && !isAdmin);
  if (profileLoading || (!isAdmin && access.isPending)) return <LoadingScreen text="Loading..." />;
  if (!isAdmin && access.isError) {
    return (
      <MessagePage
        title="We couldn't look that up"
        text={errorMessage(access.error, "Please try again.")}
      >
        <PageTitle>Admin</PageTitle>
        <Button onClick={() => access.refetch()}>Try Again</Button>
      </MessagePage>
    );
  }
  if (!isAdmin && !access.data?.allowed) {
    return (
      <MessagePage
        title="Access Denied"
        text="You don't have permission to access the admin panel."
      >
        <PageTitle>Access denied</PageTitle>
        <Button asChild>
          <Link to="/dashboard">Back to Dashboard</Link>
        </Button>
      </MessagePage>
    );
  }
  return <AdminTabs />;
}

function FlaggedCount() {
  return <Waiting total={useFlaggedOrders().data?.total ?? 0} />;
}

function ReportedCount() {
  return <Waiting total={useDesignCases().data?.total ?? 0} />;
}

/** How many orders or designs need a person. */
function Waiting({ total }: { total: number }) {
  if (total === 0) return null;
  return (
    <>
      <span
        aria-hidden="true"
        className="ml-2 rounded-full bg-tomato px-2 py-0.5 text-xs font-bold text-on-ink tabular-nums"
      >
        {total >= 1000 ? "999+" : total}
      </span>
      <span className="sr-only"> ({total >= 1000 ? "1,000 or more" : total} need a person)</span>
    </>
  );
}

/** The address holds the open tab, so that a reload comes back to it. */
function AdminTabs() {
  const [search, setSearch] = useSearchParams();
  const tabParameter = search.get("tab");
  const open = TABS.some((tab) => tab.value === tabParameter)
    ? (tabParameter ?? FIRST_SHOWN)
    : FIRST_SHOWN;
  return (
    <div className="shell py-8 sm:py-12">
      <PageTitle>Admin</PageTitle>
      <h1 className="display-2 mb-6">Admin</h1>
      <Tabs.Root
        value={open}
        onValueChange={(tab) => setSearch({ tab }, { replace: true, preventScrollReset: true })}
      >
        <Tabs.List
          aria-label="Admin panel"
          className="mb-6 flex gap-1 overflow-x-auto border-b border-line"
        >
          {TABS.map(({ value, label, Count }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="-mb-px border-b-[3px] border-transparent px-3 py-2.5 font-semibold text-ink-soft outline-offset-[-2px] hover:text-ink data-[state=active]:border-tomato data-[state=active]:text-ink sm:px-4"
            >
              {label}
              {Count ? <Count /> : null}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {TABS.map(({ value, Content }) => (
          <Tabs.Content key={value} value={value}>
            <Content />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </div>
  );
}
