import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { cn } from "@/lib/text/cn";
import type { Finding } from "../api/check-print";
import type { Check } from "./use-check";

const MENDS: Record<NonNullable<Finding["mend"]>, string> = {
  thicken: "Thicken the lines",
  harden: "Harden the edges",
  cut_out: "Cut it out",
  remove_specks: "Remove the specks",
  enlarge: "Sharpen it",
  shrink: "Make it fit",
};

interface CheckPanelProps {
  check: Check;
  /** The colour of the shirt. */
  cloth: string;
  /** Nothing is on the shirt. */
  isEmpty: boolean;
  onShow: (finding: Finding) => void;
}

/** Looks the drawing over as a print shop does, and says what would disappoint. */
export function CheckPanel({ check, cloth, isEmpty, onShow }: CheckPanelProps) {
  const { findings, wasChecked, isChecking } = check;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CardTitle>Print check</CardTitle>
        <Button
          variant="secondary"
          size="sm"
          busy={isChecking}
          disabled={isEmpty}
          onClick={() => void check.check()}
        >
          {wasChecked ? "Check again" : "Check the print"}
        </Button>
      </div>
      <div role="status" className="text-sm text-ink-soft">
        {message(check)}
      </div>
      {findings?.length ? (
        <ul className="flex flex-col divide-y divide-line">
          {findings.map((finding) => (
            <Found key={keyOf(finding)} finding={finding} check={check} onShow={onShow} />
          ))}
        </ul>
      ) : null}
      {findings ? (
        <p className="text-sm text-ink-soft">
          A shirt's real tone differs a little from its colour here, and from batch to batch.
        </p>
      ) : null}
      {check.proofs.length > 0 ? (
        <div className="grid grid-cols-2 gap-3">
          {check.proofs.map(({ side, picture }) => (
            <figure key={side} className="text-sm text-ink-soft">
              <img
                src={picture}
                alt={`The ${side} as the printer's ink shows it`}
                className="w-full rounded-card border border-line"
                style={{ background: cloth }}
              />
              <figcaption className="mt-1">The {side} in the printer's ink</figcaption>
            </figure>
          ))}
        </div>
      ) : null}
    </Card>
  );
}

function message({ findings, wasChecked, isChecking }: Check) {
  if (isChecking) return "Looking it over at print size...";
  if (!findings)
    return wasChecked
      ? "It has changed since it was checked."
      : "Fine lines, soft pictures, ink that the cloth swallows: found before they are printed.";
  if (findings.length > 0)
    return findings.length === 1
      ? "One thing to look at:"
      : `${findings.length} things to look at:`;
  return (
    <span className="flex items-center gap-1.5 font-medium text-mint-text">
      <CircleCheck aria-hidden="true" className="size-4" />
      Ready to print: nothing to mend.
    </span>
  );
}

const keyOf = ({ side, kind, layer, box }: Finding) => [side, kind, layer, ...box].join(" ");

interface FoundProps extends Pick<CheckPanelProps, "check" | "onShow"> {
  finding: Finding;
}

function Found({ finding, check, onShow }: FoundProps) {
  const { severity, sentence, side, mend, layer } = finding;
  const Icon = severity === "stop" ? OctagonAlert : TriangleAlert;
  const { mending } = check;
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <p className="flex gap-2 text-sm">
        <Icon
          aria-hidden="true"
          className={cn(
            "mt-0.5 size-4 shrink-0",
            severity === "stop" ? "text-tomato-text" : "text-sunflower-text",
          )}
        />
        <span className="min-w-0">
          {side === "back" ? "On the back: " : null}
          {sentence}
        </span>
      </p>
      <div className="flex flex-wrap gap-2 pl-6">
        <Button variant="ghost" size="sm" onClick={() => onShow(finding)}>
          Show me
        </Button>
        {mend && layer ? (
          <Button
            variant="secondary"
            size="sm"
            busy={mending?.layer === layer && mending.mend === mend}
            disabled={mending !== undefined}
            onClick={() => check.mend(finding)}
          >
            {MENDS[mend]}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
