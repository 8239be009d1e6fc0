/** What an admin has dealt with leaves a list with its buttons: the focus would be lost, so the list's heading takes it. */
import { useEffect, useRef } from "react";

export function useHeadingFocus(rows: readonly { id: string }[]) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string[]>([]);
  const ids = rows.map((row) => row.id).join();

  useEffect(() => {
    const left = shown.current.some((id) => !ids.split(",").includes(id));
    shown.current = ids.split(",").filter(Boolean);
    if (!left) return;
    // After the dialog has given the focus back to a button that is gone.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) heading.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [ids]);

  return heading;
}
