/** Brings a prerendered page to life for a visitor without a session: no router, no data layer, links load pages. */
import { hydrateRoot } from "react-dom/client";
import { StaticDocument } from "./app/static-document";
import { STATIC_PAGES } from "./app/static-pages";

const root = document.getElementById("root");
const path = location.pathname.replace(/(?<=.)\/$/, "");
const page = Object.entries(STATIC_PAGES).find(([each]) => each === path)?.[1];
if (root && page) hydrateRoot(root, <StaticDocument page={await page.load()} />);
