import { useId } from "react";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { formatDate } from "@/lib/text/format";
import { revealText } from "@/lib/text/visible-text";
import type { DesignCase } from "../designs-api/get-design-case";

interface CopyListProps {
  copies: DesignCase["copies"];
  ticked: readonly string[];
  onTick: (ticked: string[]) => void;
}

/** Copies that others have imported. Those that are ticked go, or come back, with the design. */
export function CopyList({ copies, ticked, onTick }: CopyListProps) {
  const name = useId();
  const all = copies.length > 0 && ticked.length === copies.length;
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-base tracking-tight">Imported copies</h3>
      {copies.length === 0 ? (
        <p className="text-ink-soft">Nobody has imported it.</p>
      ) : (
        <>
          <p className="mb-2 text-ink-soft">Tick those that the next decision is about, too.</p>
          <ul className="flex max-h-96 flex-col gap-2 overflow-y-auto">
            <li className="flex items-center gap-3">
              <Checkbox
                id={`${name}-all`}
                checked={all}
                onCheckedChange={() => onTick(all ? [] : copies.map((copy) => copy.id))}
              />
              <label htmlFor={`${name}-all`} className="font-semibold">
                All {copies.length}
              </label>
            </li>
            {copies.map((copy) => (
              <li key={copy.id} className="flex items-center gap-3">
                <Checkbox
                  id={`${name}-${copy.id}`}
                  checked={ticked.includes(copy.id)}
                  onCheckedChange={(checked) =>
                    onTick(
                      checked === true
                        ? [...ticked, copy.id]
                        : ticked.filter((id) => id !== copy.id),
                    )
                  }
                />
                <label htmlFor={`${name}-${copy.id}`} className="min-w-0 grow truncate">
                  {revealText(copy.creator)}{" "}
                  <span className="text-ink-soft">{formatDate(copy.created_at)}</span>
                </label>
                {copy.is_taken_down ? <Badge tone="red">Taken down</Badge> : null}
                {copy.is_public ? <Badge tone="emerald">In the gallery</Badge> : null}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
