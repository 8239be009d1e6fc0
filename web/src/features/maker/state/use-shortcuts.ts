import { useEffect } from "react";
import type { MakerActions } from "./use-maker";

/** Undo, redo and Escape, anywhere on the page but where something is typed. */
export function useShortcuts({ undo, redo, select }: MakerActions): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if ((event.target as Element).closest("input:not([type=range]), textarea, [role=dialog]"))
        return;
      const key = event.key.toLowerCase();
      if (key === "escape") select(null);
      if (!(event.ctrlKey || event.metaKey)) return;
      if (key === "z" && !event.shiftKey) undo();
      else if (key === "y" || key === "z") redo();
      else return;
      event.preventDefault();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [undo, redo, select]);
}
