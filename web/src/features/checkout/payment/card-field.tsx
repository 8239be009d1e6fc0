import { CardElement } from "@stripe/react-stripe-js";
import { useMemo, useState } from "react";
import { cn } from "@/lib/cn";
import { useTheme } from "@/lib/theme";

const COLORS = {
  light: { ink: "#1b1714", soft: "#5f564d", problem: "#b92c13" },
  dark: { ink: "#f6f0e4", soft: "#b9aea0", problem: "#ff8b73" },
};

interface CardFieldProps {
  disabled: boolean;
  onComplete: (complete: boolean) => void;
}

/** Stripe's own field: card numbers never touch the shop. */
export function CardField({ disabled, onComplete }: CardFieldProps) {
  const theme = useTheme();
  const [focused, setFocused] = useState(false);
  const [problem, setProblem] = useState<string>();
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
          "min-h-12 rounded-lg border border-line-strong bg-raised px-3.5 py-3",
          focused && "border-cobalt-text ring-2 ring-cobalt-text",
          problem && "border-tomato-text",
        )}
      >
        <CardElement
          options={options}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onChange={(event) => {
            setProblem(event.error?.message);
            onComplete(event.complete);
          }}
        />
      </div>
      <p role="alert" className="mt-1.5 text-sm font-medium text-tomato-text empty:hidden">
        {problem}
      </p>
    </fieldset>
  );
}
