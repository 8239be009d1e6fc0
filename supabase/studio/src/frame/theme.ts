/** Light or dark: as the system is set, until the developer chooses. */
import { useSyncExternalStore } from "react";

const KEY = "studio-theme";
export type Theme = "light" | "dark";

const listeners = new Set<() => void>();

const current = (): Theme => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");

function chosen(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser may keep nothing for any site.
    return null;
  }
}

export function followSystemTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = chosen() ?? system;
}

export function toggleTheme(): void {
  const theme = current() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTheme = () => useSyncExternalStore(subscribe, current);
