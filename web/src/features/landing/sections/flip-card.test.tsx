import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { type Example, FlipCard } from "./flip-card";

const example: Example = {
  name: "The octopus",
  kind: "text",
  shirt: { src: "/octopus.webp", width: 360, height: 360 },
  shown: "A white shirt with an octopus at the drums",
  words: "An octopus playing the drums",
  style: "Cartoon",
};

test("a card turns by key, and only the side that is up is read out", async () => {
  render(<FlipCard example={example} />);
  const front = { name: /A white shirt with an octopus at the drums.*Text to design/ };
  const back = { name: /Somebody wrote.*An octopus playing the drums/ };
  expect(screen.getByRole("button", front).getAttribute("aria-pressed")).toBe("false");
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect(screen.getByRole("button", back).getAttribute("aria-pressed")).toBe("true");
  expect(screen.queryByRole("button", front)).toBeNull();
  await userEvent.keyboard(" ");
  expect(screen.getByRole("button", front)).toBeTruthy();
});

test("pictures reserve their place and wait until they are near", () => {
  const { container } = render(<FlipCard example={example} />);
  const picture = container.querySelector("img");
  expect(picture?.getAttribute("width")).toBe("360");
  expect(picture?.getAttribute("height")).toBe("360");
  expect(picture?.getAttribute("loading")).toBe("lazy");
});
