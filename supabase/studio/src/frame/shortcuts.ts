/** The keys that work on every page. `ShortcutList` shows them to the developer. */
import { type RefObject, useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { PAGES } from "./pages";

// How long `g` waits for its second key.
const PAIR_MS = 1500;
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable]";

export function useShortcuts(
  main: RefObject<HTMLElement | null>,
  show: (what: "palette" | "keys") => void,
) {
  const navigate = useNavigate();
  useEffect(() => {
    let begun = Number.NEGATIVE_INFINITY;
    const go = (letter: string) => {
      const page = PAGES.find((each) => each.letter === letter);
      if (!page) return;
      // The next key is for the page that opens.
      void navigate(page.path, { flushSync: true });
      main.current?.focus();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!document.querySelector("dialog")) show("palette");
        return;
      }
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented) return;
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter")
        target?.closest("form")?.requestSubmit();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target?.closest("dialog")) return;
      if (target?.matches(FIELDS)) {
        if (event.key === "Escape") main.current?.focus();
        return;
      }
      const isSecond = event.timeStamp - begun < PAIR_MS;
      begun = Number.NEGATIVE_INFINITY;
      if (isSecond) go(event.key);
      else if (event.key === "g") begun = event.timeStamp;
      else if (event.key === "?") show("keys");
      else if (event.key === "/") focusFilter(main.current, event);
      else if (event.key === "ArrowDown" || event.key === "ArrowUp") moveBetweenRows(event);
      if (event.key === "ArrowDown" && (target === document.body || target === main.current))
        focusRow(main.current, event);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [main, navigate, show]);
}

function focusFilter(main: HTMLElement | null, event: KeyboardEvent) {
  const element =
    main?.querySelector<HTMLElement>("[data-filter]") ??
    main?.querySelector<HTMLElement>("input[type=search], textarea, input:not([type=checkbox])");
  if (!element) return;
  event.preventDefault();
  element.focus();
}

/** Into the page's rows: the cell that was left, or the first thing of the first row that takes the keyboard. */
function focusRow(main: HTMLElement | null, event: KeyboardEvent) {
  const rows = main?.querySelector("[data-rows]");
  const element =
    rows?.querySelector<HTMLElement>("td[tabindex='0']") ?? rows?.querySelector<HTMLElement>(STOPS);
  if (!element) return;
  event.preventDefault();
  element.focus();
}

const ROW_STOPS = "button, a, input";
const STOPS = "tbody :is(button, a, input), li :is(button, a, input)";

/** Up and down between the rows of a list, at the same place of each. */
function moveBetweenRows(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : null;
  const row = target?.closest("tbody tr, li");
  const list = row?.closest("main [data-rows]");
  if (!target || !row || !list) return;
  const place = [...row.querySelectorAll(ROW_STOPS)].indexOf(target);
  const rows = [...list.querySelectorAll(row.tagName === "LI" ? "li" : "tbody tr")];
  const step = event.key === "ArrowDown" ? 1 : -1;
  for (let at = rows.indexOf(row) + step; at >= 0 && at < rows.length; at += step) {
    const stops = rows[at]?.querySelectorAll<HTMLElement>(ROW_STOPS);
    const next = stops?.[Math.max(0, Math.min(place, stops.length - 1))];
    // Rows of a closed group are not drawn.
    if (next?.checkVisibility()) {
      event.preventDefault();
      next.focus();
      return;
    }
  }
}
