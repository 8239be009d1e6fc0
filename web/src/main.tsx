import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import "./app/styles/index.css";
import { getEnv, SettingsError } from "./lib/env";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root to draw in");

try {
  getEnv();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
} catch (error) {
  // Without settings nothing works: say which are missing instead of a blank page.
  if (!(error instanceof SettingsError)) throw error;
  root.textContent = error.message;
}
