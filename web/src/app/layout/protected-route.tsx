import { Fragment } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { LoadingScreen } from "@/components/loading-screen";
import { signInPath } from "@/lib/browser/redirect";
import { useSession } from "@/lib/session/session-provider";

/** Sends anonymous visitors to sign in, and back here afterwards. */
export function ProtectedRoute() {
  const { loading, user, leaving } = useSession();
  const location = useLocation();
  if (loading) return <LoadingScreen text="Loading..." />;
  if (!user) return <Navigate to={leaving ? "/" : signInPath(location)} replace />;
  // Another person's session, begun in another tab, must not meet this one's forms.
  return (
    <Fragment key={user.id}>
      <Outlet />
    </Fragment>
  );
}
