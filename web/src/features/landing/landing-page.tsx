import { Navigate } from "react-router-dom";
import { LoadingScreen } from "@/components/loading-screen";
import { useSession } from "@/lib/session/session-provider";
import { Features } from "./sections/features";
import { FinalCall } from "./sections/final-call";
import { Hero } from "./sections/hero";
import { HowItWorks } from "./sections/how-it-works";
import { MagicGallery } from "./sections/magic-gallery";

/** The shop window; signed-in visitors go straight to their dashboard. */
export function LandingPage() {
  const { loading, user, leaving } = useSession();
  if (loading) return <LoadingScreen text="Loading..." />;
  if (user && !leaving) return <Navigate to="/dashboard" replace />;
  return (
    <>
      <title>Teesmith: custom t-shirts from your words or a photo</title>
      <Hero />
      <Features />
      <MagicGallery />
      <HowItWorks />
      <FinalCall />
    </>
  );
}
