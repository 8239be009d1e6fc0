import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SizeGuidelines } from "./size-guidelines";

function cells(size: string): (string | null)[] {
  const row = screen.getByRole("rowheader", { name: size }).closest("tr");
  return [...(row?.querySelectorAll("td") ?? [])].map((cell) => cell.textContent);
}

test("the size chart is in inches, and in centimeters for those who choose them", async () => {
  const user = userEvent.setup();
  render(<SizeGuidelines />);
  await user.click(screen.getByRole("button", { name: "Size Guidelines" }));
  expect(cells("XS")).toEqual(["16.5", "27", "8.6", "± 1.5"]);
  expect(screen.getByText(/^Inches, measured flat/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Centimeters" }));
  expect(cells("XS")).toEqual(["41.9", "68.6", "21.8", "± 3.8"]);
  expect(cells("4XL")).toEqual(["76.2", "86.4", "27.4", "± 3.8"]);
  expect(screen.getByText(/^Centimeters, measured flat/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Inches" }));
  expect(cells("4XL")).toEqual(["30", "34", "10.8", "± 1.5"]);
});
