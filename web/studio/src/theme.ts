/** Light or dark, as the system is set, until the developer chooses. */
import { setTheme } from "@/lib/theme";

export function followSystemTheme(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("teesmith-theme");
  } catch {
    // A private window has none.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen ?? (dark ? "dark" : "light");
}

export const toggle = (theme: "light" | "dark") => setTheme(theme === "dark" ? "light" : "dark");
