import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { type createBrowserRouter, RouterProvider } from "react-router-dom";
import { SessionProvider } from "@/lib/session/session-provider";
import { useEarlyInput } from "./early-input";

// Nothing needs a toast before the visitor has done something.
const Toaster = lazy(() =>
  import("@/components/ui/toaster").then((file) => ({ default: file.Toaster })),
);

interface AppProps {
  router: ReturnType<typeof createBrowserRouter>;
  queryClient: QueryClient;
}

export function App({ router, queryClient }: AppProps) {
  useEarlyInput();
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <RouterProvider router={router} />
        <Suspense>
          <Toaster />
        </Suspense>
      </SessionProvider>
    </QueryClientProvider>
  );
}
