/** Why a design is reported or taken down: the list that the functions and the mails to owners have too. */
import words from "../../../../functions/_shared/moderation/reasons.json";

export type ReportReason = keyof typeof words;

export const REPORT_REASONS = Object.keys(words) as ReportReason[];

/** "It is hateful or harasses somebody" */
export function reportText(reason: string): string {
  return words[reason as ReportReason]?.report ?? reason;
}
