import { useEffect } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { redirectTarget } from "@/lib/browser/redirect";
import { useSession } from "@/lib/session/session-provider";

const DELAY_MS = 100;

/** Navigates a signed-in user to the redirect's target, or to the dashboard. */
export function useLeaveWhenSignedIn(): void {
  const { user } = useSession();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const target = redirectTarget(search);
  useEffect(() => {
    if (!user) return;
    const timer = setTimeout(() => void navigate(target, { replace: true }), DELAY_MS);
    return () => clearTimeout(timer);
  }, [user, target, navigate]);
}
