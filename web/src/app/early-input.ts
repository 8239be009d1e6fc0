/**
 * What a visitor does on a prerendered page before the program arrives is not lost: index.html notes taps on buttons and
 * what is typed; once React has drawn the same page, the taps are repeated and the texts filled in. Links need no help.
 */
import { useLayoutEffect } from "react";

type TextField = HTMLInputElement | HTMLTextAreaElement;

interface EarlyInput {
  taps: HTMLButtonElement[];
  /** The button on which the mouse is held down. */
  pressed?: HTMLButtonElement | null;
  /** What was typed, by field. */
  fields: Map<TextField, string>;
  /** What was focused last. */
  focused?: HTMLElement;
  recording: AbortController;
}

declare global {
  interface Window {
    teesmithEarly?: EarlyInput;
  }
}

/** React listens from now on: what is noted any longer would count twice. */
export function stopRecording(): void {
  window.teesmithEarly?.recording.abort();
}

/** The element itself where it was kept, else the one of the same name on the page that replaced it. */
function counterpart<Kind extends HTMLElement>(early: Kind): Kind | undefined {
  if (early.isConnected) return early;
  const name = nameOf(early);
  const candidates = document.querySelectorAll<Kind>(early.tagName);
  return [...candidates].find((each) => nameOf(each) === name);
}

function nameOf(element: HTMLElement): string {
  const label = element.getAttribute("aria-label") ?? element.getAttribute("name");
  return label ?? element.textContent.trim();
}

/** React takes a text for typed when it differs from what its own setter saw last: the empty one, not this. */
function fill(field: TextField, text: string): void {
  field.value = "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A browser makes no click of a press that ends on another element than it began on, and this one was replaced. */
function finishPress(early: HTMLButtonElement): void {
  const now = counterpart(early);
  if (!now || now === early) return;
  const end = ({ target }: MouseEvent) => {
    if (now.contains(target as Node)) now.click();
  };
  addEventListener("mouseup", end, { capture: true, once: true });
}

function replayEarlyInput(): void {
  const early = window.teesmithEarly;
  if (!early) return;
  stopRecording();
  delete window.teesmithEarly;
  for (const [field, text] of early.fields) {
    const now = counterpart(field);
    if (now) fill(now, text);
  }
  // The focus went with the element that had it: the next key must not be lost.
  if (early.focused && document.activeElement === document.body)
    counterpart(early.focused)?.focus();
  for (const button of new Set(early.taps)) counterpart(button)?.click();
  if (early.pressed) finishPress(early.pressed);
}

/** Replays as part of the first drawing, so that nothing comes between. */
export function useEarlyInput(): void {
  useLayoutEffect(replayEarlyInput, []);
}
