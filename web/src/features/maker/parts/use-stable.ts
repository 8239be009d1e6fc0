import { useCallback, useLayoutEffect, useRef } from "react";

/** The same function at each render, which calls the newest: for parts that are drawn anew for their values alone. */
export function useStable<Values extends unknown[]>(
  callback: (...values: Values) => void,
): (...values: Values) => void {
  const newest = useRef(callback);
  useLayoutEffect(() => {
    newest.current = callback;
  });
  return useCallback((...values) => newest.current(...values), []);
}
