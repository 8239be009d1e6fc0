import { CardElement } from "@stripe/react-stripe-js";
import { useMemo, useState } from "react";
import { useTheme } from "@/lib/browser/theme";
import { cn } from "@/lib/text/cn";

const COLORS = {
  light: { ink: "#1b1714", soft: "#5f564d", problem: "#b92c13" },
  dark: { ink: "#f6f0e4", soft: "#b9aea0", problem: "#ff8b73" },
};

interface CardFieldProps {
  disabled: boolean;
  /** Why the last attempt charged nothing. */
  refusal: string | undefined;
  /** The card was changed. */
  onChange: (complete: boolean) => void;
}

/** Stripe's own field: card numbers never touch the shop. */
export function CardField({ disabled, refusal, onChange }: CardFieldProps) {
  const theme = useTheme();
  const [focused, setFocused] = useState(false);
  const [problem, setProblem] = useState<string>();
  const shown = problem ?? refusal;
  const options = useMemo(() => {
    const { ink, soft, problem: red } = COLORS[theme];
    return {
      hidePostalCode: true,
      disabled,
      style: {
        base: {
          color: ink,
          iconColor: soft,
          fontSize: "16px",
          fontFamily: "Instrument Sans, system-ui, sans-serif",
          "::placeholder": { color: soft },
        },
        invalid: { color: red, iconColor: red },
      },
    };
  }, [theme, disabled]);

  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Card details</legend>
      <div
        className={cn(
          "min-h-12 rounded-lg border bg-raised px-3.5 py-3",
          shown ? "border-tomato-text" : focused ? "border-cobalt-text" : "border-line-strong",
          focused && "ring-2 ring-cobalt-text",
        )}
      >
        <CardElement
          options={options}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onChange={(event) => {
            setProblem(event.error?.message);
            onChange(event.complete);
          }}
        />
      </div>
      <p role="alert" className="mt-1.5 text-sm font-medium text-tomato-text empty:hidden">
        {shown}
      </p>
    </fieldset>
  );
}
