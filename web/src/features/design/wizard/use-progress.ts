/** The progress that is shown while a picture is made: the makers report none, so it is an estimate in five steps. */
import { useEffect, useState } from "react";

const STEP_PERCENT = 20;
const STEP_MS = 5000;
const MESSAGE_MS = 8000;

const MESSAGES = [
  "AI is analyzing your request...",
  "Creating your unique design...",
  "Adding finishing touches...",
] as const;

/** `elapsed` are the milliseconds that the picture had been on its way when this page was loaded. */
export function useProgress(loading: boolean, elapsed = 0): { percent: number; message: string } {
  const [steps, setSteps] = useState(0);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    if (!loading) return;
    const progress = setInterval(() => setSteps((count) => count + 1), STEP_MS);
    const rotation = setInterval(() => setTurn((count) => count + 1), MESSAGE_MS);
    return () => {
      clearInterval(progress);
      clearInterval(rotation);
      setSteps(0);
      setTurn(0);
    };
  }, [loading]);

  return {
    percent: Math.min(100, (steps + Math.floor(elapsed / STEP_MS)) * STEP_PERCENT),
    message: MESSAGES[(turn + Math.floor(elapsed / MESSAGE_MS)) % MESSAGES.length] ?? MESSAGES[0],
  };
}
