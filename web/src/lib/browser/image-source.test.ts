import { expect, test } from "vitest";
import { imageSource } from "./image-source";

test("stored base64 becomes an image source of its own kind", () => {
  expect(imageSource("iVBORw0KGgo")).toBe("data:image/png;base64,iVBORw0KGgo");
  expect(imageSource("/9j/4AAQ")).toBe("data:image/jpeg;base64,/9j/4AAQ");
});

test("what is a source already stays as it is", () => {
  expect(imageSource("data:image/png;base64,iVBO")).toBe("data:image/png;base64,iVBO");
  expect(imageSource("https://images.example/a.jpg")).toBe("https://images.example/a.jpg");
});

test("nothing stored is no source", () => {
  expect(imageSource(null)).toBeUndefined();
  expect(imageSource("")).toBeUndefined();
});
