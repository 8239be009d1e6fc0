/** Hydrates a prerendered page for a visitor without a session: no router, no data layer, links load pages. */
import { startTransition } from "react";
import { stopRecording } from "./app/early-input";
import { StaticDocument } from "./app/static-document";
import { NOT_FOUND, STATIC_PAGES } from "./app/static-pages";
import { keepOfflinePage } from "./lib/browser/offline-page";

const root = document.getElementById("root");
const path = location.pathname.replace(/(?<=.)\/$/, "");
const entry = Object.entries(STATIC_PAGES).find(([each]) => each === path)?.[1] ?? NOT_FOUND;

/** Lets the browser answer taps and paint between two long pieces of work. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

if (root) {
  const page = await entry.load();
  await pause();
  const { hydrateRoot } = await import("react-dom/client");
  await pause();
  stopRecording();
  // As a transition React hydrates in slices.
  startTransition(() => void hydrateRoot(root, <StaticDocument page={page} />));
  keepOfflinePage();
}
