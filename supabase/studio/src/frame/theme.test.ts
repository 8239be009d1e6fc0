import { expect, test, vi } from "vitest";
import { followSystemTheme, toggleTheme } from "./theme";

const systemIs = (dark: boolean) => vi.stubGlobal("matchMedia", () => ({ matches: dark }));

test("a browser that keeps nothing has a theme all the same", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(refuse);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);
  systemIs(true);
  followSystemTheme();
  expect(document.documentElement.dataset.theme).toBe("dark");
  toggleTheme();
  expect(document.documentElement.dataset.theme).toBe("light");
});

test.each([
  [true, "dark", "light"],
  [false, "light", "dark"],
])("the system's theme holds until another is chosen (dark: %s)", (dark, system, other) => {
  systemIs(dark);
  followSystemTheme();
  expect(document.documentElement.dataset.theme).toBe(system);
  toggleTheme();
  expect(document.documentElement.dataset.theme).toBe(other);
  // The next visit.
  followSystemTheme();
  expect(document.documentElement.dataset.theme).toBe(other);
});
