/**
 * Preserves input on a prerendered page before the app's script has loaded: index.html records taps on buttons and
 * typed text. Once React has rendered the page, this module repeats the taps and fills in the text. Links work without
 * it.
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

/** React handles input from now on: recording more would apply it twice. */
export function stopRecording(): void {
  window.teesmithEarly?.recording.abort();
}

/** The element itself if it is still in the page, else the one of the same name that replaced it. */
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

/** React ignores an input event if its own setter has set the same value: set the text by the prototype's setter. */
function fill(field: TextField, text: string): void {
  field.value = "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A browser makes no click of a press that ends on another element than it began on, and this one was replaced. */
function finishPress(early: HTMLButtonElement): void {
  const now = counterpart(early);
  if (!now || now === early) return;
  const press = new AbortController();
  const options = { capture: true, signal: press.signal };
  const end = ({ target }: MouseEvent) => {
    press.abort();
    if (now.contains(target as Node)) now.click();
  };
  addEventListener("mouseup", end, options);
  // A press may end without a mouseup, as by a drag: the next one makes a click of its own.
  addEventListener("mousedown", () => press.abort(), options);
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
  // The focused element was replaced: focus its counterpart, so that the next key is not lost.
  if (early.focused && document.activeElement === document.body)
    counterpart(early.focused)?.focus();
  for (const button of new Set(early.taps)) counterpart(button)?.click();
  if (early.pressed) finishPress(early.pressed);
}

/** Replays as part of the first drawing, so that nothing comes between. */
export function useEarlyInput(): void {
  useLayoutEffect(replayEarlyInput, []);
}
