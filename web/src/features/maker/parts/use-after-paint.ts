import { useCallback, useEffect, useRef } from "react";
import { useStable } from "./use-stable";

/** Hands the newest value on once the frame that shows the typing itself is painted; `flush` does not wait for it. */
export function useAfterPaint<Value>(callback: (value: Value) => void) {
  const handOn = useStable(callback);
  const waiting = useRef<{ value: Value; stop: () => void }>(undefined);

  const flush = useCallback(() => {
    const last = waiting.current;
    if (!last) return;
    waiting.current = undefined;
    last.stop();
    handOn(last.value);
  }, [handOn]);

  const send = useCallback(
    (value: Value) => {
      if (waiting.current) {
        waiting.current.value = value;
        return;
      }
      let after: ReturnType<typeof setTimeout> | undefined;
      const frame = requestAnimationFrame(() => {
        after = setTimeout(flush);
      });
      const stop = () => {
        cancelAnimationFrame(frame);
        clearTimeout(after);
      };
      waiting.current = { value, stop };
    },
    [flush],
  );

  useEffect(() => flush, [flush]);
  return { send, flush };
}
