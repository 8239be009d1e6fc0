/** A plan as a tree: what each step does, on what, and its part of the whole. */
import type { PlanNode } from "../api/calls";

export function PlanTree({ plan, ms }: { plan: PlanNode; ms: number | undefined }) {
  return (
    <section aria-label="Plan">
      <p className="text-sm text-ink-soft">
        {ms === undefined ? `Cost ${plan["Total Cost"]}` : `Took ${ms.toFixed(1)} ms`}
      </p>
      <ul className="mt-2">
        <Step node={plan} whole={weight(plan)} />
      </ul>
    </section>
  );
}

/** Milliseconds where they were measured, otherwise the planner's cost; with all below it. */
function weight(node: PlanNode): number {
  const time = node["Actual Total Time"];
  return time === undefined ? node["Total Cost"] : time * (node["Actual Loops"] ?? 1);
}

function Step({ node, whole }: { node: PlanNode; whole: number }) {
  const below = (node.Plans ?? []).reduce((sum, each) => sum + weight(each), 0);
  const own = Math.max(0, weight(node) - below);
  const share = whole > 0 ? Math.round((own / whole) * 100) : 0;
  const target = node["Index Name"] ?? node["Relation Name"];
  const condition = node["Index Cond"] ?? node.Filter;
  const rows = node["Actual Rows"];
  return (
    <li className="border-l border-line-strong pl-4">
      <div className="relative my-1.5 inline-block min-w-72 overflow-hidden rounded-lg border border-line bg-raised px-3 py-2 text-sm">
        <div
          aria-hidden="true"
          className="absolute inset-y-0 left-0 bg-warning/30"
          style={{ width: `${share}%` }}
        />
        <p className="relative font-semibold">
          {node["Node Type"]}
          {target ? <span className="font-mono font-normal"> on {target}</span> : null}
        </p>
        <p className="relative text-ink-soft">
          {share} % · {rows === undefined ? `about ${node["Plan Rows"]}` : rows} rows
          {rows !== undefined && rows !== node["Plan Rows"]
            ? `, expected ${node["Plan Rows"]}`
            : ""}
        </p>
        {condition ? <p className="relative font-mono text-[0.8rem]">{condition}</p> : null}
      </div>
      {node.Plans ? (
        <ul className="ml-4">
          {node.Plans.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan have no names
            <Step key={at} node={each} whole={whole} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}
