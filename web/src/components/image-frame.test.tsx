import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ImageFrame } from "./image-frame";
import { ShirtStandIn } from "./shirt-stand-in";

function frame(sources: (string | undefined)[]) {
  const standIn = <ShirtStandIn pictures={[null, "iVBORw0KGgo="]} color="#1f2a44" />;
  return (
    <ImageFrame sources={sources} alt="A shirt" size={800} empty="No preview" standIn={standIn} />
  );
}

const standInOf = (container: HTMLElement) =>
  container.querySelector<HTMLImageElement>('[aria-hidden="true"] img');

test("the design's own picture is shown until the shirt's has arrived", () => {
  const { container } = render(frame(["/mockup.jpg"]));
  const picture = screen.getByAltText("A shirt");
  expect(standInOf(container)?.src).toBe("data:image/png;base64,iVBORw0KGgo=");
  expect(standInOf(container)?.closest(".opacity-0")).toBeNull();
  expect(picture.className).toContain("opacity-0");
  fireEvent.load(picture);
  expect(picture.className).not.toContain("opacity-0");
  expect(standInOf(container)?.closest(".opacity-0")).not.toBeNull();
});

test("the fade is left out where less motion is wanted", () => {
  const { container } = render(frame(["/mockup.jpg"]));
  const fading = container.querySelectorAll(".transition-opacity");
  expect(fading.length).toBe(2);
  for (const each of fading) expect(each.className).toContain("motion-reduce:transition-none");
});

test("another colour's shirt is waited for with the design's picture again", () => {
  const { rerender } = render(frame(["/navy.jpg"]));
  fireEvent.load(screen.getByAltText("A shirt"));
  rerender(frame(["/white.jpg"]));
  expect(screen.getByAltText("A shirt").className).toContain("opacity-0");
});

test("a shirt that cannot be shown leaves what is said of it, not the stand-in", () => {
  const { container } = render(frame(["/mockup.jpg"]));
  fireEvent.error(screen.getByAltText("A shirt"));
  expect(screen.getByText("No preview")).toBeTruthy();
  expect(standInOf(container)).toBeNull();
});

test("a picture that the browser has already is there at once, without a stand-in", () => {
  vi.spyOn(HTMLImageElement.prototype, "complete", "get").mockReturnValue(true);
  vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockReturnValue(800);
  const { container } = render(frame(["/mockup.jpg"]));
  expect(screen.getByAltText("A shirt").className).not.toContain("opacity-0");
  expect(standInOf(container)).toBeNull();
  vi.restoreAllMocks();
});
