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
    like_count: number === 2 ? 1 : 0,
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

const PUBLIC = "GET /rest/v1/public_designs";
const SEARCH = "GET /rest/v1/rpc/search_public_designs";
const TOTAL = "GET /rest/v1/rpc/count_public_designs";
const NEXT = 'created_at.lt."2026-11-05T10:00:00+00:00",id.gt.p24';

/** A gallery of so many designs, of which the database says that it has `total`. */
function open({
  signedIn = false,
  designs = 2,
  total,
  leaving,
}: {
  signedIn?: boolean;
  designs?: number;
  total?: { total: number; is_exact: boolean };
  /** What the sign-in page waits for. */
  leaving?: Promise<null>;
} = {}) {
  const all = Array.from({ length: designs }, (_, index) => published(index + 1));
  const backend = new Backend()
    .on(PUBLIC, ({ query }) => ({
      body: (query.has("or") ? all.slice(24) : all).slice(0, Number(query.get("limit"))),
    }))
    .on(TOTAL, { body: [total ?? { total: designs, is_exact: true }] })
    .on("GET /rest/v1/profiles", {
      body: signedIn
        ? [{ ...USER, id: "u2", public_name: "Inky" }]
        : [{ id: "u2", public_name: "Inky" }],
    })
    .on("GET /rest/v1/design_likes", { body: [{ design_id: "d2" }] });
  if (signedIn) backend.signedIn();
  const router = renderRoutes(
    [
      { path: "/discover", element: <DiscoverPage /> },
      { path: "/auth", element: <p>sign in first</p>, loader: () => leaving ?? null },
      { path: "/mockup", element: <p>mockup page</p> },
    ],
    "/discover",
  );
  return { backend, router, user: userEvent.setup() };
}

test("a like shows at once, and is taken back when the shop refuses it", async () => {
  const { backend, user } = open({ signedIn: true });
  let reject = (): void => {};
  backend.on("POST /rest/v1/design_likes", async () => {
    await new Promise<void>((resolve) => {
      reject = resolve;
    });
    return { status: 500, body: { message: "no", code: "XX000" } };
  });
  await user.click(await screen.findByRole("button", { name: "Like: Design 1, 0 likes" }));
  const liked = await screen.findByRole("button", { name: "Like: Design 1, 1 like" });
  expect(liked.getAttribute("aria-pressed")).toBe("true");
  await waitFor(() => expect(backend.requestsTo("POST /rest/v1/design_likes")).toHaveLength(1));
  reject();
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
    expect(backend.requestsTo("DELETE /rest/v1/design_likes")[0]?.query.get("design_id")).toBe(
      "eq.d2",
    ),
  );
});

test("an anonymous like asks to log in", async () => {
  const { backend, user } = open();
  await user.click(await screen.findByRole("button", { name: /^Like: Design 1/ }));
  expect(await screen.findByText("You need to be logged in to like designs.")).toBeTruthy();
  expect(backend.requestsTo("POST /rest/v1/design_likes")).toEqual([]);
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
  open({ designs: 12 });
  await screen.findByRole("button", { name: "Design 12" });
  expect(screen.getByText("12 designs")).toBeTruthy();
  expect(screen.queryByText(/You've seen all/)).toBeNull();
});

test("the next page begins after the last row, and the end is announced with the exact number", async () => {
  const { backend, user } = open({ designs: 30, total: { total: 31, is_exact: true } });
  expect(await screen.findByText("31 designs")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Design 25" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Load More Designs" }));
  await screen.findByRole("button", { name: "Design 30" });
  expect(screen.getByText("30 designs")).toBeTruthy();
  expect(screen.getByText("You've seen all 30 designs. Check back later for more!")).toBeTruthy();
  const queries = backend.requestsTo(PUBLIC).map(({ query }) => query);
  expect(queries.map((query) => query.get("limit"))).toEqual(["25", "25"]);
  expect(queries[1]?.get("created_at")).toBe("lte.2026-11-05T10:00:00+00:00");
  expect(queries[1]?.get("or")).toBe(`(${NEXT})`);
  expect(queries[1]?.has("offset")).toBe(false);
  expect(backend.requestsTo(TOTAL)).toHaveLength(1);
});

test("a page that is just full has no next one", async () => {
  open({ designs: 24 });
  await screen.findByRole("button", { name: "Design 24" });
  expect(screen.queryByRole("button", { name: "Load More Designs" })).toBeNull();
});

test("a number that is estimated says so", async () => {
  open({ designs: 30, total: { total: 5100, is_exact: false } });
  expect(await screen.findByText("about 5,100 designs")).toBeTruthy();
});

test("without its number the gallery is shown all the same", async () => {
  const { backend } = open({ designs: 30 });
  backend.on(TOTAL, { status: 500, body: { message: "no", code: "XX000" } });
  await screen.findByRole("button", { name: "Design 1" });
  expect(screen.queryByText(/\d designs/)).toBeNull();
});

test("a search asks the database's own function, page by page", async () => {
  const { backend, user } = open({ designs: 2 });
  const all = Array.from({ length: 30 }, (_, index) => published(index + 1));
  backend.on(SEARCH, ({ query }) => ({
    body: query.has("after_id") ? all.slice(24) : all.slice(0, 25),
  }));
  await user.type(await screen.findByLabelText("Search designs"), "fox");
  await user.click(await screen.findByRole("button", { name: "Load More Designs" }));
  await screen.findByRole("button", { name: "Design 30" });
  const queries = backend.requestsTo(SEARCH).map(({ query }) => query);
  expect(queries.map((query) => [query.get("search"), query.get("page_size")])).toEqual([
    ["fox", "25"],
    ["fox", "25"],
  ]);
  expect([queries[1]?.get("published_before"), queries[1]?.get("after_id")]).toEqual([
    "2026-11-05T10:00:00+00:00",
    "p24",
  ]);
  expect(backend.requestsTo(TOTAL).at(-1)?.query.get("search")).toBe("fox");
});

test("the most liked come by their own function, from the last row's likes on", async () => {
  const { backend, router, user } = open();
  const MOST_LIKED = "GET /rest/v1/rpc/most_liked_designs";
  const all = Array.from({ length: 30 }, (_, index) => published(index + 1));
  // one that was liked meanwhile comes again
  backend.on(MOST_LIKED, ({ query }) => ({
    body: query.has("before_id") ? all.slice(23) : all.slice(0, 25),
  }));
  await user.click(await screen.findByRole("button", { name: "Most liked" }));
  await user.click(await screen.findByRole("button", { name: "Load More Designs" }));
  await screen.findByRole("button", { name: "Design 30" });
  expect(screen.getAllByRole("button", { name: "Design 24" })).toHaveLength(1);
  expect(router.state.location.search).toBe("?sort=likes");
  const after = backend.requestsTo(MOST_LIKED)[1]?.query;
  expect([after?.get("most_likes"), after?.get("before_id")]).toEqual(["0", "p24"]);
});

test("words and order are found again in the address", async () => {
  const { backend, router, user } = open();
  backend.on(SEARCH, { body: [published(1)] });
  await user.type(await screen.findByLabelText("Search designs"), "fox");
  await waitFor(() => expect(router.state.location.search).toBe("?search=fox"));
  expect(screen.getByRole<HTMLFieldSetElement>("group", { name: /^Order/ }).disabled).toBe(true);
});

test("likes of one's own are asked of the shown designs alone, page by page", async () => {
  const { backend, user } = open({ signedIn: true, designs: 30 });
  await user.click(await screen.findByRole("button", { name: "Load More Designs" }));
  const LIKES = "GET /rest/v1/design_likes";
  await waitFor(() => expect(backend.requestsTo(LIKES)).toHaveLength(2));
  const lists = backend.requestsTo(LIKES).map(({ query }) => query.get("design_id")?.split(","));
  expect(lists.map((ids) => ids?.length)).toEqual([24, 6]);
  const heart = await screen.findByRole("button", { name: "Like: Design 2, 1 like" });
  await waitFor(() => expect(heart.getAttribute("aria-pressed")).toBe("true"));
});

test.each([
  { who: "a visitor", signedIn: false, answer: undefined },
  { who: "a user", signedIn: true, answer: undefined },
  { who: "a user of a busy shop", signedIn: true, answer: { status: 503 } },
])("a read that fails is tried once more for $who", async ({ signedIn, answer }) => {
  const { backend } = open({ signedIn });
  backend.on(PUBLIC, () => {
    if (!answer) throw new TypeError("Failed to fetch");
    return answer;
  });
  expect(await screen.findByRole("button", { name: "Try Again" })).toBeTruthy();
  expect(backend.requestsTo(PUBLIC)).toHaveLength(2);
});

test("words that were typed just before leaving do not end the way to another page", async () => {
  let arrive: (value: null) => void = () => {};
  const leaving = new Promise<null>((resolve) => {
    arrive = resolve;
  });
  const { backend, router, user } = open({ leaving });
  backend.on(SEARCH, { body: [] });
  await user.type(await screen.findByRole("searchbox", { name: "Search designs" }), "fox");
  void router.navigate("/auth");
  await waitFor(() => expect(backend.requestsTo(SEARCH)).not.toEqual([]));
  arrive(null);
  await screen.findByText("sign in first");
});
