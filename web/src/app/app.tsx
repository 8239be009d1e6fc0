import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { type createBrowserRouter, RouterProvider } from "react-router-dom";
import { makeQueryClient } from "@/lib/query-client";
import { SessionProvider } from "@/lib/session/session-provider";
import { useEarlyInput } from "./early-input";

// Nothing needs a toast before the visitor has done something.
const Toaster = lazy(() =>
  import("@/components/ui/toaster").then((file) => ({ default: file.Toaster })),
);

interface AppProps {
  router: ReturnType<typeof createBrowserRouter>;
  /** The active element of the prerendered page that this one replaces. */
  focused: Element | null;
}

export function App({ router, focused }: AppProps) {
  const [queryClient] = useState(makeQueryClient);
  useEarlyInput(focused);
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
