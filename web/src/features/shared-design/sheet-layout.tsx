import type { ReactNode } from "react";
import { BackLink } from "@/components/back-link";

/** The picture, and beside it (below it on a phone) what there is to say about the design and to do with it. */
export function SheetLayout({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <div className="shell py-8 sm:py-12">
      <BackLink to="/discover">Back to Discover</BackLink>
      <div className="mt-6 grid items-start gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-14">
        <div className="lg:sticky lg:top-28">{picture}</div>
        <div className="flex flex-col items-start gap-5">{children}</div>
      </div>
    </div>
  );
}
