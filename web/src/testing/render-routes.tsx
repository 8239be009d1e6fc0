import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { RouteObject } from "react-router-dom";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { Toaster } from "@/components/ui/toaster";
import { SessionProvider } from "@/lib/session/session-provider";
import { makeQueryClient } from "@/lib/supabase/query-client";

/** Pages with everything around them, starting at `path`. */
export function renderRoutes(routes: RouteObject[], path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <SessionProvider>
        <RouterProvider router={router} />
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>,
  );
  return router;
}
