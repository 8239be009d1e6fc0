import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { OrderSuccessPage } from "./order-success-page";

function open(id: string) {
  const backend = new Backend();
  renderRoutes(
    [{ path: "/order-success/:orderId", element: <OrderSuccessPage /> }],
    `/order-success/${id}`,
  );
  return { backend, user: userEvent.setup() };
}

test.each(["sample", "11111111-2222-4333-8444-0000abcdef12"])(
  "the sample order %s asks for nothing, shows the shop's own shirt and has no order to lead to",
  async (id) => {
    const { backend } = open(id);
    const picture = await screen.findByAltText(
      "A fox riding a bicycle under the moon on your t-shirt",
    );
    expect(picture.getAttribute("src")).toMatch(/sample-shirt\.webp$/);
    const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(links).toEqual(["/dashboard", "/design"]);
    expect(backend.requests).toEqual([]);
  },
);

test("the sample has two shirts for $49.98, and a delivery that follows the toggle", async () => {
  const { user } = open("sample");
  expect(screen.getByText("Quantity: 2")).toBeTruthy();
  expect(screen.getByText("$49.98")).toBeTruthy();
  expect(screen.getByText(/3-7 business days/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "International delivery" }));
  expect(screen.getByText(/10-30 business days/)).toBeTruthy();
  expect(screen.getByText("Canada")).toBeTruthy();
});
