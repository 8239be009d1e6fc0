import { useEffect, useReducer, useRef } from "react";
import { ConnectionError, errorMessage, ServiceError } from "@/lib/errors/errors";
import { clearNotices, notifyProblem } from "@/lib/errors/notify";
import { newUuid } from "@/lib/text/new-uuid";
import type { DesignJob } from "@/shop/designs/design-jobs";
import { JobGoneError } from "@/shop/variations/resume-picture";
import { useJobAddress } from "./use-job-address";
import { nextState, shouldStart, stateOf } from "./wizard-state";

interface WizardOptions {
  generate: (jobId: string, signal: AbortSignal) => Promise<string>;
  /** Waits for a job that was begun before this page was loaded. */
  resume: (
    jobId: string,
    signal: AbortSignal,
    onFound: (job: DesignJob) => void,
  ) => Promise<string>;
  failureTitle: string;
  failureFallback: string;
}

export function useWizard({ generate, resume, failureTitle, failureFallback }: WizardOptions) {
  const { job, compared, setJob } = useJobAddress();
  const [state, dispatch] = useReducer(nextState, job, stateOf);
  const running = useRef<AbortController>(undefined);
  const current = useRef({ id: job ?? "", resumes: job !== null, unanswered: false });
  const start = shouldStart(state);

  useEffect(() => {
    if (!start) return;
    const controller = new AbortController();
    running.current = controller;
    dispatch({ type: "started" });
    const { id, resumes } = current.current;
    const onFound = ({ created_at }: DesignJob) =>
      dispatch({ type: "found", elapsed: Math.max(0, Date.now() - Date.parse(created_at)) });
    const picture = resumes
      ? resume(id, controller.signal, onFound)
      : generate(id, controller.signal);
    picture.then(
      (image) => {
        if (!controller.signal.aborted) dispatch({ type: "generated", image });
      },
      (cause: unknown) => {
        if (controller.signal.aborted) return;
        if (cause instanceof JobGoneError) {
          setJob(null);
          dispatch({ type: "left" });
          return;
        }
        current.current.unanswered = cause instanceof ConnectionError;
        const message = errorMessage(cause, failureFallback);
        notifyProblem(failureTitle, message);
        const retryAt = cause instanceof ServiceError ? (cause.retryAt ?? null) : null;
        dispatch({ type: "failed", message, retryAt });
      },
    );
  }, [start, generate, resume, setJob, failureTitle, failureFallback]);

  useEffect(() => () => running.current?.abort(), []);

  function begin(id: string) {
    current.current = { id, resumes: false, unanswered: false };
    setJob(id);
  }

  /** Shows another picture that was drawn. */
  function choose(id: string, image: string) {
    begin(id);
    dispatch({ type: "chosen", image });
  }

  function leave() {
    running.current?.abort();
    setJob(null, []);
    dispatch({ type: "left" });
  }

  return {
    ...state,
    submit: () => {
      begin(newUuid());
      dispatch({ type: "submitted" });
    },
    retry: () => {
      clearNotices();
      // Without a response the job may exist: a request with the same id joins it.
      begin(current.current.unanswered ? current.current.id : newUuid());
      dispatch({ type: "retried" });
    },
    leave,
    job,
    compared,
    compare: (ids: readonly string[]) => setJob(job, ids),
    choose,
    /** The result is saved: its page must not offer it again. */
    close: () => setJob(null, []),
    /** The generated picture cannot be shown. */
    fail: (message: string) => dispatch({ type: "failed", message, retryAt: null }),
  };
}
