import { formatMoment } from "@/lib/text/format";
import { revealText } from "@/lib/text/visible-text";
import { reportText } from "@/shop/designs/report-reasons";
import type { DesignDecision } from "../designs-api/get-design-case";

const DONE = { keep: "Kept", take_down: "Taken down", restore: "Restored" } as const;

interface DecisionEntryProps {
  decision: DesignDecision;
  /** Whether the design's name is shown. */
  names?: boolean;
}

/** One row of the audit trail. */
export function DecisionEntry({ decision, names = false }: DecisionEntryProps) {
  return (
    <li>
      <span className="block font-semibold wrap-anywhere">
        {DONE[decision.decision]}
        {names ? `: ${revealText(decision.design_name.slice(0, 80))}` : null}
      </span>
      <span className="block text-ink-soft tabular-nums">
        {formatMoment(decision.created_at)}
        {decision.actor ? ` by ${revealText(decision.actor)}` : null}
        {mailText(decision)}
      </span>
      {decision.reason ? <span className="block">{reportText(decision.reason)}</span> : null}
      {decision.note ? (
        <span className="block wrap-anywhere">{revealText(decision.note)}</span>
      ) : null}
    </li>
  );
}

function mailText({ decision, told_at, not_told }: DesignDecision): string {
  if (decision === "keep") return "";
  if (told_at) return " · owner told by email";
  return not_told ? ` · the email failed: ${not_told}` : " · email on its way";
}
