import type { ReactElement } from "react";
import { useSession } from "@/lib/session/session-provider";

/** Stands in for the protected route: shows the page once the stored session is read. */
export function SignedIn({ page }: { page: ReactElement }) {
  return useSession().user ? page : null;
}
