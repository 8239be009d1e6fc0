/** The three steps of both wizards: the form, generating, the result. */
export interface WizardState {
  step: 1 | 2 | 3;
  /** Base64 PNG. */
  image: string | null;
  loading: boolean;
  error: string | null;
  /** A retry before this time fails. */
  retryAt: Date | null;
  /** Milliseconds that a picture had been on its way when this page found it. */
  elapsed: number;
}

export type WizardEvent =
  | { type: "submitted" }
  | { type: "started" }
  | { type: "found"; elapsed: number }
  | { type: "generated"; image: string }
  | { type: "chosen"; image: string }
  | { type: "failed"; message: string; retryAt: Date | null }
  | { type: "retried" }
  | { type: "left" };

export const initialState: WizardState = {
  step: 1,
  image: null,
  loading: false,
  error: null,
  retryAt: null,
  elapsed: 0,
};

export function nextState(state: WizardState, event: WizardEvent): WizardState {
  switch (event.type) {
    case "submitted":
    case "retried":
      return { ...initialState, step: 2 };
    case "started":
      return { ...state, loading: true };
    case "found":
      return { ...state, elapsed: event.elapsed };
    case "generated":
      // Ignore a response that arrives after the visitor went back to the form.
      return state.loading ? { ...initialState, step: 3, image: event.image } : state;
    case "chosen":
      return { ...initialState, step: 3, image: event.image };
    case "failed":
      return { ...state, loading: false, error: event.message, retryAt: event.retryAt };
    case "left":
      return initialState;
  }
}

/** Where the address names a job, the page starts by waiting for it. */
export function stateOf(jobId: string | null): WizardState {
  return jobId ? { ...initialState, step: 2 } : initialState;
}

/** Entering step 2 starts the generation by itself. */
export function shouldStart(state: WizardState): boolean {
  return state.step === 2 && !state.image && !state.loading && !state.error;
}
