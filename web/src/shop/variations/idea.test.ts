import { expect, test } from "vitest";
import { Backend } from "@/testing/backend";
import { drawIdea, type Idea, wordsOf } from "./idea";

const request = {
  prompt: 'A fox. Text to include: "Go on"',
  style: "Sketch",
  mood: "dark",
  background_color_name: "Navy",
  background_color_hex: "#1F2A44",
  has_typography: true,
};
// as it was validated: none was asked for
const fox: Idea = { kind: "text_picture", request: { ...request, seed: null }, seed: 7 };
const CALL = "POST /functions/v1/generate-design-image";

/** What the function is asked for. */
async function asked(idea: Idea, words?: { about: string; typography: string }): Promise<unknown> {
  const backend = new Backend().on(CALL, { body: { image: "aGk=" } });
  const { signal } = new AbortController();
  await drawIdea(idea, { words, photo: "", jobId: "j", signal });
  return backend.requestsTo(CALL)[0]?.body;
}

test("an idea is said in the words that it was asked for with", () => {
  expect(wordsOf(fox)).toEqual({ about: "A fox.", typography: "Go on" });
  const photo: Idea = {
    kind: "photo_picture",
    request: { ...request, instructions: null, typography: "Rex" },
    seed: 7,
  };
  expect(wordsOf(photo)).toEqual({ about: "", typography: "Rex" });
});

test("another picture has the same request and a seed of its own", async () => {
  expect(await asked(fox)).toEqual({ ...request, job_id: "j" });
});

test("other words keep style, colours and the seed that the picture was drawn with", async () => {
  const words = { about: "A bear", typography: " " };
  const changed = { ...request, prompt: "A bear", has_typography: false, job_id: "j" };
  expect(await asked(fox, words)).toEqual({ ...changed, seed: 7 });
  const named = { ...fox, request: { ...request, seed: 3 } };
  expect(await asked(named, words)).toEqual({ ...changed, seed: 3 });
});
