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

export function App({ router }: { router: ReturnType<typeof createBrowserRouter> }) {
  const [queryClient] = useState(makeQueryClient);
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
