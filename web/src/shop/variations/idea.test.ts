import { expect, test, vi } from "vitest";
import { generateDesignImage } from "../designs/generate-design-image";
import { drawIdea, type Idea, wordsOf } from "./idea";

vi.mock("../designs/generate-design-image", () => ({ generateDesignImage: vi.fn() }));

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
const { signal } = new AbortController();

test("an idea is said in the words that it was asked for with", () => {
  expect(wordsOf(fox)).toEqual({ about: "A fox.", typography: "Go on" });
  const photo: Idea = {
    kind: "photo_picture",
    request: { ...request, instructions: null, typography: "Rex" },
    seed: 7,
  };
  expect(wordsOf(photo)).toEqual({ about: "", typography: "Rex" });
});

test("another picture has the same request and a seed of its own", () => {
  void drawIdea(fox, { photo: "", jobId: "j", signal });
  expect(vi.mocked(generateDesignImage)).toHaveBeenLastCalledWith(
    { ...request, job_id: "j" },
    signal,
  );
});

test("other words keep style, colours and the seed that the picture was drawn with", () => {
  const words = { about: "A bear", typography: " " };
  const changed = { ...request, prompt: "A bear", has_typography: false, job_id: "k" };
  void drawIdea(fox, { words, photo: "", jobId: "k", signal });
  expect(vi.mocked(generateDesignImage)).toHaveBeenLastCalledWith({ ...changed, seed: 7 }, signal);
  const named = { ...fox, request: { ...request, seed: 3 } };
  void drawIdea(named, { words, photo: "", jobId: "k", signal });
  expect(vi.mocked(generateDesignImage)).toHaveBeenLastCalledWith({ ...changed, seed: 3 }, signal);
});
