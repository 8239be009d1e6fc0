/** An order for tests: a design, and what a shopper in London fills in. */
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { DESIGN_ID, USER } from "./backend";

export const DESIGN = {
  id: DESIGN_ID,
  name: "A fox",
  image_data: null,
  thumbnail_data: null,
  image_url: null,
  printify_product_id: "p1",
  selected_colors: ["v2"],
  user_id: USER.id,
};

/** One shirt of size M, to Baker Street. */
export async function fillOrder(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "Increase M quantity" }));
  await user.selectOptions(screen.getByLabelText("Country"), "GB");
  for (const [label, text] of [
    ["Address", "221B Baker St"],
    ["Postcode", "NW1 6XE"],
    ["Town or city", "London"],
    ["Phone", "2072243688"],
  ] as const) {
    await user.click(await screen.findByLabelText(label));
    await user.paste(text);
  }
}
