import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Backend } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { navigationLinks } from "./navigation";
import { ProtectedRoute } from "./protected-route";

const routes = [
  { element: <ProtectedRoute />, children: [{ path: "/order", element: <p>the order</p> }] },
  { path: "/auth", element: <p>sign in first</p> },
];

test("an anonymous visitor is sent to sign in, and back to the whole address, without a step in the history", async () => {
  const backend = new Backend();
  const router = renderRoutes(routes, "/order?design=d1&color=v1");
  await screen.findByText("sign in first");
  const { pathname, search } = router.state.location;
  expect(pathname + search).toBe("/auth?redirect=%2Forder%3Fdesign%3Dd1%26color%3Dv1");
  expect(router.state.historyAction).toBe("REPLACE");
  expect(backend.requests).toEqual([]);
});

test("a stored session opens the page", async () => {
  new Backend().signedIn();
  renderRoutes(routes, "/order");
  expect(await screen.findByText("the order")).toBeTruthy();
});

test("the header's links follow who is looking", () => {
  expect(navigationLinks(false).map((link) => link.to)).toEqual(["/discover"]);
  expect(navigationLinks(true).map((link) => link.to)).toEqual([
    "/discover",
    "/dashboard",
    "/profile",
  ]);
  expect(navigationLinks(true, true).map((link) => link.to)).toContain("/admin");
  expect(navigationLinks(false, true).map((link) => link.to)).toEqual(["/discover"]);
});
