/** The route table. Every page is a chunk of its own; those inside ProtectedRoute are for signed-in visitors. */
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { createBrowserRouter, Params, RouteObject } from "react-router-dom";
import { LoadingScreen } from "@/components/loading-screen";
import { AppLayout } from "./layout/app-layout";
import { ProtectedRoute } from "./layout/protected-route";
import { RouteError } from "./layout/route-error";
import { NOT_FOUND, STATIC_PAGES } from "./static-pages";

type RouterState = ReturnType<typeof createBrowserRouter>["state"];

/** Loads the data of the page's first render. */
type Prepare = (client: QueryClient, params: Params) => Promise<void>;

function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    ErrorBoundary: RouteError,
    lazy: async () => ({ Component: await load().catch(failing) }),
  };
}

/** A page with early requests: its first data arrive before the app's script. */
function earlyPage(path: string, load: () => Promise<[ComponentType, Prepare]>): RouteObject {
  return {
    path,
    ErrorBoundary: RouteError,
    lazy: async () => {
      const [Component, prepare] = await load().catch(
        (cause: unknown) => [failing(cause)] as const,
      );
      return { Component, handle: prepare && { prepare } };
    },
  };
}

/** Passes the early data to the query client, so that the first render shows the whole page. */
export async function prepareFirstPage(client: QueryClient, { matches }: RouterState) {
  for (const { route, params } of matches) {
    const handle: { prepare?: Prepare } | undefined = route.handle;
    await handle?.prepare?.(client, params);
  }
}

/**
 * Turns a chunk that fails to load into a component that throws, so that the route's error boundary shows. A rejected
 * `lazy` leaves the page blank: React Router considers the route to be loading and ignores its boundary.
 */
function failing(cause: unknown): ComponentType {
  return () => {
    throw cause;
  };
}

const texts = [
  "/faq",
  "/privacy-policy",
  "/terms-of-service",
  "/return-policy",
  "/accessibility",
] as const;

export const routes: RouteObject[] = [
  {
    element: <AppLayout />,
    ErrorBoundary: RouteError,
    HydrateFallback: () => <LoadingScreen text="Loading..." />,
    children: [
      page("/", () => import("@/features/landing/landing-page").then((file) => file.LandingPage)),
      ...texts.map((path) => page(path, STATIC_PAGES[path].load)),
      page("/auth", () => import("@/features/auth/auth-page").then((file) => file.AuthPage)),
      page("/auth/reset-password", () =>
        import("@/features/auth/reset-password-page").then((file) => file.ResetPasswordPage),
      ),
      page("/signup", () => import("@/features/auth/sign-up-page").then((file) => file.SignUpPage)),
      earlyPage("/discover", () =>
        import("@/features/discover/discover-page").then((file) => [
          file.DiscoverPage,
          file.prepareDiscover,
        ]),
      ),
      earlyPage("/design/:designId", () =>
        import("@/features/shared-design/shared-design-page").then((file) => [
          file.SharedDesignPage,
          file.prepareSharedDesign,
        ]),
      ),
      earlyPage("/creator/:creatorId", () =>
        import("@/features/discover/creator-page").then((file) => [
          file.CreatorPage,
          file.prepareCreator,
        ]),
      ),
      page("/mockup", () =>
        import("@/features/mockup/mockup-page").then((file) => file.MockupPage),
      ),
      // Not behind ProtectedRoute: the page itself shows signed-out visitors a message.
      page("/order-details/:orderId", () =>
        import("@/features/order-details/order-details-page").then((file) => file.OrderDetailsPage),
      ),
      // From an e-mail, without signing in: the token is the address's fragment.
      page("/track", () =>
        import("@/features/order-tracking/order-tracking-page").then(
          (file) => file.OrderTrackingPage,
        ),
      ),
      {
        element: <ProtectedRoute />,
        children: [
          page("/dashboard", () =>
            import("@/features/dashboard/dashboard-page").then((file) => file.DashboardPage),
          ),
          page("/profile", () =>
            import("@/features/profile/profile-page").then((file) => file.ProfilePage),
          ),
          page("/design", () =>
            import("@/features/design/choose-method-page").then((file) => file.ChooseMethodPage),
          ),
          page("/design-templates", () =>
            import("@/features/templates/design-templates-page").then(
              (file) => file.DesignTemplatesPage,
            ),
          ),
          page("/design/ai-generator", () =>
            import("@/features/design/ai-generator-page").then((file) => file.AiGeneratorPage),
          ),
          page("/design/from-picture", () =>
            import("@/features/design/from-picture-page").then((file) => file.FromPicturePage),
          ),
          page("/adjust", () =>
            import("@/features/maker/maker-page").then((file) => file.MakerPage),
          ),
          page("/order", () =>
            import("@/features/checkout/order-page").then((file) => file.OrderPage),
          ),
          page("/order-success/:orderId", () =>
            import("@/features/order-success/order-success-page").then(
              (file) => file.OrderSuccessPage,
            ),
          ),
          page("/admin", () =>
            import("@/features/admin/admin-page").then((file) => file.AdminPage),
          ),
        ],
      },
      page("*", NOT_FOUND.load),
    ],
  },
];
