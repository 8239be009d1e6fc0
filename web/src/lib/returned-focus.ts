/** Where the keyboard was before a dialog opened is where it is again when the dialog has closed; `data-first` has it meanwhile. */
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
      const found = opener.current;
      if (!(found instanceof HTMLElement) || found === document.body) return;
      event.preventDefault();
      // A dialog may have taken away what opened it: a row that is deleted now.
      const target = found.isConnected ? found : document.querySelector("main");
      target?.focus();
    },
  };
}
