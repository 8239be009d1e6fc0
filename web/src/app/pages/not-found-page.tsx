import { PageTitle } from "@/components/page-title";
import { Overprint } from "@/components/print/overprint";
import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";

export function NotFoundPage() {
  return (
    <div className="shell grid min-h-[65vh] place-items-center py-16">
      <PageTitle>Page not found</PageTitle>
      <div className="flex flex-col items-center gap-5 text-center">
        <p aria-hidden="true" className="display-1">
          <Overprint>404</Overprint>
        </p>
        <h1 className="display-3">Oops! Page not found</h1>
        <p className="max-w-md text-ink-soft">
          No sheet with this address has left the press. It may have been moved, or the link has a
          typo.
        </p>
        <Button asChild>
          <ShopLink to="/">Return to Home</ShopLink>
        </Button>
      </div>
    </div>
  );
}
