import type { ReactElement } from "react";
import { useSession } from "@/lib/session/session-provider";

/** Replaces the protected route in tests: shows the page once the stored session is read. */
export function SignedIn({ page }: { page: ReactElement }) {
  return useSession().user ? page : null;
}
