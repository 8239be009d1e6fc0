import { RegistrationMark } from "@/components/print/registration-mark";
import { Tee } from "@/components/print/tee";
import { cn } from "@/lib/text/cn";
import { useProgress } from "../wizard/use-progress";

const PATCHES = ["bg-tomato", "bg-sunflower", "bg-mint", "bg-cobalt", "bg-ink"];

interface GeneratingPanelProps {
  title: string;
  shirtHex: string;
  loading: boolean;
  /** Milliseconds that it had been on its way when this page was loaded. */
  elapsed: number;
}

/** Step 2: a squeegee pulled over the shirt, and the five ink patches of a control strip as progress. */
export function GeneratingPanel({ title, shirtHex, loading, elapsed }: GeneratingPanelProps) {
  const { percent, message } = useProgress(loading, elapsed);
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-8 py-6 text-center">
      <div aria-hidden="true" className="crop-marks relative my-6 w-64 overflow-visible sm:w-72">
        <Tee color={shirtHex} className="w-full" />
        <div className="absolute inset-x-[27%] top-[24%] h-[50%] overflow-hidden rounded-sm border-2 border-ink/60 bg-paper/70">
          <div className="halftone size-full [--dot:var(--tomato)]" />
          <div className="squeegee absolute inset-x-0 top-0 h-2.5 rounded-full bg-ink [--pull:130px]" />
        </div>
        <RegistrationMark className="absolute -top-4 left-1/2 size-5 -translate-x-1/2 text-line-strong" />
      </div>
      <h2 className="display-3">{title}</h2>
      <div className="w-full">
        <div
          role="progressbar"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="flex h-5 gap-1"
        >
          {PATCHES.map((patch, index) => (
            <span key={patch} className="flex-1 overflow-hidden rounded-sm bg-line/70">
              <span
                className={cn(
                  "block h-full origin-left transition-transform duration-700 motion-reduce:transition-none",
                  patch,
                  percent >= (index + 1) * 20 ? "scale-x-100" : "scale-x-0",
                )}
              />
            </span>
          ))}
        </div>
        <p aria-live="polite" className="mt-4 font-semibold">
          {message}
        </p>
        <p className="mt-1 text-sm text-ink-soft">This usually takes 15-30 seconds</p>
      </div>
    </div>
  );
}
