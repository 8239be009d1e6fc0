import { startTransition, useEffect, useState } from "react";
import { useAfterPaint } from "./use-after-paint";

/** The value that is on the screen already: what hangs on it is drawn once the hand has seen its own work. */
export function usePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  const { send } = useAfterPaint((next: Value) => startTransition(() => setPainted(next)));
  useEffect(() => send(value), [send, value]);
  return painted;
}
