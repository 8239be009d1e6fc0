import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { InkBar } from "@/components/print/ink-bar";
import { Logo } from "@/components/print/logo";
import { Button } from "@/components/ui/button";

/** What a browser without a network shows in the place of any page (public/sw.js). The build writes its script. */
export function OfflinePage() {
  return (
    <>
      <PageTitle>You're offline</PageTitle>
      <header className="border-b border-line">
        <InkBar className="h-[3px]" />
        <div className="shell flex h-16 items-center">
          <Logo />
        </div>
      </header>
      <main>
        <MessagePage
          title="You're offline"
          text="No line reaches the shop right now. This page loads by itself as soon as you're back."
        >
          <Button>Try again</Button>
        </MessagePage>
      </main>
    </>
  );
}
