import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router-dom";
import { App } from "./app/app";
import { prepareFirstPage, routes } from "./app/routes";
import "./app/styles/index.css";
import { hasEarlyData } from "@/lib/supabase/early-request";
import { makeQueryClient } from "@/lib/supabase/query-client";
import { keepOfflinePage } from "./lib/browser/offline-page";
import { getEnv, SettingsError } from "./lib/env";

type Router = ReturnType<typeof createBrowserRouter>;

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root to draw in");

/** The prerendered page stays visible until the client can render the same page. */
async function firstPage(router: Router): Promise<void> {
  await new Promise<void>((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe((state) => state.initialized && resolve());
  });
}

try {
  getEnv();
  const router = createBrowserRouter(routes);
  if (root.hasChildNodes()) await firstPage(router);
  const queryClient = makeQueryClient();
  if (hasEarlyData()) await prepareFirstPage(queryClient, router.state);
  document.querySelector(".session-loading")?.remove();
  // As a transition React renders in slices and handles input between them.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App router={router} queryClient={queryClient} />
      </StrictMode>,
    ),
  );
  keepOfflinePage();
} catch (error) {
  // Without settings nothing works: say which are missing instead of a blank page.
  if (!(error instanceof SettingsError)) throw error;
  root.textContent = error.message;
}
