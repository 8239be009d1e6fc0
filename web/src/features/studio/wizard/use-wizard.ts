import { useEffect, useReducer, useRef } from "react";
import { errorMessage, ServiceError } from "@/lib/errors";
import { clearNotices, notifyProblem } from "@/lib/notify";
import { initialState, nextState, shouldStart } from "./wizard-state";

interface WizardOptions {
  generate: (signal: AbortSignal) => Promise<string>;
  failureTitle: string;
  failureFallback: string;
}

export function useWizard({ generate, failureTitle, failureFallback }: WizardOptions) {
  const [state, dispatch] = useReducer(nextState, initialState);
  const running = useRef<AbortController>(undefined);
  const start = shouldStart(state);

  useEffect(() => {
    if (!start) return;
    const controller = new AbortController();
    running.current = controller;
    dispatch({ type: "started" });
    generate(controller.signal).then(
      (image) => {
        if (!controller.signal.aborted) dispatch({ type: "generated", image });
      },
      (cause: unknown) => {
        if (controller.signal.aborted) return;
        const message = errorMessage(cause, failureFallback);
        notifyProblem(failureTitle, message);
        const retryAt = cause instanceof ServiceError ? (cause.retryAt ?? null) : null;
        dispatch({ type: "failed", message, retryAt });
      },
    );
  }, [start, generate, failureTitle, failureFallback]);

  useEffect(() => () => running.current?.abort(), []);

  return {
    ...state,
    submit: () => dispatch({ type: "submitted" }),
    retry: () => {
      clearNotices();
      dispatch({ type: "retried" });
    },
    leave: () => {
      running.current?.abort();
      dispatch({ type: "left" });
    },
    /** The generated picture cannot be shown. */
    fail: (message: string) => dispatch({ type: "failed", message, retryAt: null }),
  };
}
