import { useRef, useState } from "react";

/** Runs work one at a time: what is begun meanwhile, as by a double click, is not done. */
export function useOneAtATime() {
  const busy = useRef(false);
  const [running, setRunning] = useState(false);

  async function run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (busy.current) return undefined;
    busy.current = true;
    setRunning(true);
    try {
      return await work();
    } finally {
      busy.current = false;
      setRunning(false);
    }
  }

  return { running, run };
}
