import { startTransition, useEffect, useState } from "react";

/** The value that is on the screen already: what hangs on it is drawn once the hand has seen its own work. */
export function usePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    // The second frame begins when the first, with the value itself, has been handed over.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setPainted(value)));
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return painted;
}
