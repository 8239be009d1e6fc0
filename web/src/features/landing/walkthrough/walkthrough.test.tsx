import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Walkthrough } from "./walkthrough";

test("the demo goes from an idea to an order, and shows each choice on the shirt", async () => {
  render(<Walkthrough />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("radio", { name: "A whale with a lighthouse" }));
  await user.click(screen.getByRole("button", { name: "Next" }));
  await user.click(screen.getByRole("radio", { name: "Vintage" }));
  await user.click(screen.getByRole("button", { name: "Next" }));
  await user.click(screen.getByRole("radio", { name: "Sand" }));
  expect(screen.getByRole("img").getAttribute("alt")).toBe(
    "A whale with a lighthouse, vintage, on a sand shirt",
  );
  await user.click(screen.getByRole("button", { name: "Next" }));
  await user.click(screen.getByRole("radio", { name: "2XL" }));
  expect(screen.getByText(/One sand shirt, size 2XL/).textContent).toContain("$19.90");
  expect(screen.getByRole("link", { name: "Now with your own idea" }).getAttribute("href")).toBe(
    "/signup",
  );
});

test("one can go back, and straight to a step", async () => {
  render(<Walkthrough />);
  const user = userEvent.setup();
  const back = screen.getByRole("button", { name: "Back" });
  expect(back.hasAttribute("disabled")).toBe(true);
  await user.click(screen.getByRole("button", { name: "3 Color" }));
  expect(screen.getByRole("button", { name: "3 Color" }).getAttribute("aria-current")).toBe("step");
  await user.click(back);
  expect(screen.getByRole("radio", { name: "Cartoon" })).toBeTruthy();
});
