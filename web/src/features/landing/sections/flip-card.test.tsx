import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { type Example, FlipCard } from "./flip-card";

const example: Example = {
  name: "The octopus",
  kind: "text",
  shirt: { src: "/octopus.webp", width: 360, height: 360 },
  shown: "a white shirt with an octopus at the drums",
  words: "An octopus playing the drums",
  style: "Cartoon",
};

test("a card turns by key, and says which side is up", async () => {
  render(<FlipCard example={example} />);
  const card = screen.getByRole("button");
  expect(card.getAttribute("aria-pressed")).toBe("false");
  expect(card.getAttribute("aria-label")).toBe(
    "The octopus: a white shirt with an octopus at the drums. Text to design. Turn it over",
  );
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect(card.getAttribute("aria-pressed")).toBe("true");
  expect(card.getAttribute("aria-label")).toContain("“An octopus playing the drums”");
  await userEvent.keyboard(" ");
  expect(card.getAttribute("aria-pressed")).toBe("false");
});

test("pictures reserve their place and wait until they are near", () => {
  const { container } = render(<FlipCard example={example} />);
  const picture = container.querySelector("img");
  expect(picture?.getAttribute("width")).toBe("360");
  expect(picture?.getAttribute("height")).toBe("360");
  expect(picture?.getAttribute("loading")).toBe("lazy");
});
