/** Returns the focus to the opener when a dialog closes; the `data-first` element has the focus while it is open. */
import { useRef } from "react";

export function useReturnedFocus() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement;
      const first = (event.currentTarget as Element).querySelector<HTMLElement>("[data-first]");
      if (!first) return;
      event.preventDefault();
      first.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      const element = opener.current;
      if (!(element instanceof HTMLElement) || element === document.body) return;
      event.preventDefault();
      // The dialog may have removed its opener, such as the button of a deleted row.
      const target = element.isConnected ? element : document.querySelector("main");
      target?.focus();
    },
  };
}
