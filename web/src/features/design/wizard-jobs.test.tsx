/** A picture that outlives its request: reloads, lost connections, other tabs. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { AiGeneratorPage } from "./ai-generator-page";

const JOB = "33333333-3333-4333-8333-333333333333";
const VARIANTS = [
  { id: "v1", name: "Black - L", color_hex: "#1A1A1A", printify_variant_id: 1 },
  { id: "v3", name: "White - M", color_hex: null, printify_variant_id: 3 },
];
const RESULT = `${USER.id}/${JOB}/result.png`;
const WAIT = { timeout: 25_000 };
const DRAW = "POST /functions/v1/generate-design-image";
const ROWS = "GET /rest/v1/design_jobs";

function row(state: "running" | "done" | "failed", changes: object = {}) {
  return {
    id: JOB,
    kind: "text_picture",
    state,
    request: {
      prompt: 'A fox. Text to include: "Hi"',
      style: "Cartoon",
      mood: "bold",
      background_color_name: "Black",
    },
    result: null,
    seed: 7,
    result_path: state === "done" ? RESULT : null,
    error: state === "failed" ? "We can't draw that." : null,
    error_code: state === "failed" ? "prompt_refused" : null,
    created_at: new Date(Date.now() - 12_000).toISOString(),
    ...changes,
  };
}

function open(search = "") {
  const backend = new Backend()
    .signedIn()
    .on("GET /rest/v1/product_variants", { body: VARIANTS })
    .on(`GET /storage/v1/object/design-jobs/${RESULT}`, { body: "picture" });
  const router = renderRoutes(
    [{ path: "/design/ai-generator", element: <SignedIn page={<AiGeneratorPage />} /> }],
    `/design/ai-generator${search}`,
  );
  return { backend, router, user: userEvent.setup() };
}

async function describeIdea(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole("button", { name: "Black" }));
  await user.type(screen.getByLabelText("Your idea"), "A fox");
  await user.click(screen.getByRole("button", { name: "Next: Generate Image" }));
}

test("a reload while a picture is made goes on where it was, then shows the result", async () => {
  const { backend, router, user } = open(`?job=${JOB}`);
  backend.on(ROWS, { body: [row("running")] });
  const bar = await screen.findByRole("progressbar", { name: "Creating Your Design" });
  // twelve seconds have passed
  await waitFor(() => expect(bar.getAttribute("aria-valuenow")).toBe("40"));

  backend.on(ROWS, { body: [row("done")] });
  expect(await screen.findByText("Your Design is Ready!", undefined, WAIT)).toBeTruthy();
  expect(backend.requestsTo(DRAW)).toEqual([]);
  // the form came with the job, as in another tab
  expect(screen.getByText(/Drawn for a Black shirt/)).toBeTruthy();

  await user.click(screen.getByRole("button", { name: "Start Over" }));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your idea").value).toBe("A fox.");
  expect(screen.getByLabelText<HTMLInputElement>("Text on the shirt").value).toBe("Hi");
  expect(router.state.location.search).toBe("");
}, 15_000);

test("a reload on the result shows it again", async () => {
  const { backend } = open(`?job=${JOB}`);
  backend.on(ROWS, { body: [row("done")] });
  const picture = await screen.findByRole<HTMLImageElement>("img", {
    name: "Your generated design",
  });
  expect(picture.src).toBe(`data:image/png;base64,${btoa('"picture"')}`);
});

test("a reload after a failure shows it, and trying again is a job of its own", async () => {
  const { backend, router, user } = open(`?job=${JOB}`);
  backend.on(ROWS, { body: [row("failed")] }).on(DRAW, { body: { image: "iVBORw0KGgo=" } });
  await screen.findByRole("heading", { name: "Generation Failed" });
  expect(screen.getAllByText("We can't draw that.").length).toBeGreaterThan(0);
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByText("Your Design is Ready!");
  const sent = backend.requestsTo(DRAW)[0]?.body as { job_id: string; prompt: string };
  expect(sent.prompt).toBe('A fox. Text to include: "Hi"');
  expect(sent.job_id).not.toBe(JOB);
  expect(router.state.location.search).toBe(`?job=${sent.job_id}`);
});

test("an address of a job that is gone leads to the form", async () => {
  const { router } = open(`?job=${JOB}`);
  expect(await screen.findByLabelText("Your idea", undefined, WAIT)).toBeTruthy();
  expect(router.state.location.search).toBe("");
}, 15_000);

test("a job that cannot be read at once is looked for again", async () => {
  const { backend } = open(`?job=${JOB}`);
  let looks = 0;
  backend.on(ROWS, () => {
    looks += 1;
    if (looks === 1) throw new TypeError("Failed to fetch");
    return { body: [row("done")] };
  });
  expect(await screen.findByText("Your Design is Ready!", undefined, WAIT)).toBeTruthy();
  expect(looks).toBe(2);
}, 15_000);

test("an answer that is lost is no failure while the job goes on", async () => {
  const { backend, user } = open();
  backend.on(DRAW, { status: 504, body: { message: "gateway timeout" } });
  backend.on(ROWS, { body: [row("running")] });
  await describeIdea(user);
  await waitFor(() => expect(backend.requestsTo(ROWS)).toHaveLength(2), WAIT);
  expect(screen.getByRole("progressbar", { name: "Creating Your Design" })).toBeTruthy();
  expect(screen.queryByText("AI Generator Error")).toBeNull();

  backend.on(ROWS, { body: [row("done")] });
  expect(await screen.findByText("Your Design is Ready!", undefined, WAIT)).toBeTruthy();
  expect(backend.requestsTo(DRAW)).toHaveLength(1);
}, 15_000);

test("trying again after a lost connection joins the job instead of paying for another", async () => {
  const { backend, user } = open();
  backend.on(DRAW, () => {
    throw new TypeError("Failed to fetch");
  });
  await describeIdea(user);
  const retry = await screen.findByRole("button", { name: "Try Again" }, WAIT);
  backend.on(DRAW, { body: { image: "iVBORw0KGgo=" } });
  await user.click(retry);
  await screen.findByText("Your Design is Ready!");
  const ids = backend.requestsTo(DRAW).map(({ body }) => (body as { job_id: string }).job_id);
  expect(ids[0]).toBe(ids[1]);
}, 20_000);
