import { Navigate } from "react-router-dom";
import { LoadingScreen } from "@/components/loading-screen";
import { useSession } from "@/lib/session/session-provider";
import { Landing } from "./landing";

/** The landing page inside the app; signed-in visitors go straight to their dashboard. */
export function LandingPage() {
  const { loading, user, leaving } = useSession();
  if (loading) return <LoadingScreen text="Loading..." />;
  if (user && !leaving) return <Navigate to="/dashboard" replace />;
  return <Landing />;
}
