import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { DiscoverPage } from "./discover-page";

function published(number: number, changes: object = {}) {
  return {
    id: `p${number}`,
    user_id: "u2",
    created_at: "2026-11-05T10:00:00+00:00",
    designs: {
      id: `d${number}`,
      name: `Design ${number}`,
      has_thumbnail: true,
      thumbnail_url: null,
      printify_product_id: null,
      selected_colors: [],
      created_at: "2026-11-01T10:00:00+00:00",
      ...changes,
    },
  };
}

function open({ signedIn = false, total = 2 } = {}) {
  const backend = new Backend()
    .on("GET /rest/v1/public_designs", {
      status: 206,
      body: [published(1), published(2)],
      headers: { "content-range": `0-1/${total}` },
    })
    .on("GET /rest/v1/profiles", {
      body: signedIn
        ? [{ ...USER, id: "u2", public_name: "Inky" }]
        : [{ id: "u2", public_name: "Inky" }],
    })
    .on("GET /rest/v1/design_likes", (ask) => ({
      body: ask.query.has("user_id") ? [{ design_id: "d2" }] : [{ design_id: "d2" }],
    }));
  if (signedIn) backend.signedIn();
  const router = renderRoutes(
    [
      { path: "/discover", element: <DiscoverPage /> },
      { path: "/auth", element: <p>sign in first</p> },
      { path: "/mockup", element: <p>mockup page</p> },
    ],
    "/discover",
  );
  return { backend, router, user: userEvent.setup() };
}

test("a like shows at once, and is taken back when the shop refuses it", async () => {
  const { backend, user } = open({ signedIn: true });
  let refuse = (): void => {};
  backend.on("POST /rest/v1/design_likes", async () => {
    await new Promise<void>((resolve) => {
      refuse = resolve;
    });
    return { status: 500, body: { message: "no", code: "XX000" } };
  });
  await user.click(await screen.findByRole("button", { name: "Like: Design 1, 0 likes" }));
  const liked = await screen.findByRole("button", { name: "Like: Design 1, 1 like" });
  expect(liked.getAttribute("aria-pressed")).toBe("true");
  await waitFor(() => expect(backend.asked("POST /rest/v1/design_likes")).toHaveLength(1));
  refuse();
  expect(await screen.findByText("Failed to update like. Please try again.")).toBeTruthy();
  const back = screen.getByRole("button", { name: "Like: Design 1, 0 likes" });
  expect(back.getAttribute("aria-pressed")).toBe("false");
});

test("a design that one likes is unliked", async () => {
  const { backend, user } = open({ signedIn: true });
  backend.on("DELETE /rest/v1/design_likes", { status: 204 });
  const heart = await screen.findByRole("button", { name: "Like: Design 2, 1 like" });
  await waitFor(() => expect(heart.getAttribute("aria-pressed")).toBe("true"));
  await user.click(heart);
  await screen.findByRole("button", { name: "Like: Design 2, 0 likes" });
  await waitFor(() =>
    expect(backend.asked("DELETE /rest/v1/design_likes")[0]?.query.get("design_id")).toBe("eq.d2"),
  );
});

test("an anonymous like asks to log in", async () => {
  const { backend, user } = open();
  await user.click(await screen.findByRole("button", { name: /^Like: Design 1/ }));
  expect(await screen.findByText("You need to be logged in to like designs.")).toBeTruthy();
  expect(backend.asked("POST /rest/v1/design_likes")).toEqual([]);
});

test("the dialog names creator and day, and sends anonymous visitors to sign in and back", async () => {
  const { router, user } = open();
  await user.click(await screen.findByRole("button", { name: "Design 1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Design 1" }));
  expect(dialog.getByText("Inky")).toBeTruthy();
  expect(dialog.getByText("Nov 5, 2026")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Use This Design" }));
  await screen.findByText("sign in first");
  expect(new URLSearchParams(router.state.location.search).get("redirect")).toBe(
    "/design/d1?import=true",
  );
});

test("the end is announced only for more than twelve", async () => {
  open({ total: 2 });
  await screen.findByRole("button", { name: "Design 1" });
  expect(screen.queryByText(/You've seen all/)).toBeNull();
});
