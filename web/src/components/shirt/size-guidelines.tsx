import { ChevronDown, Ruler } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { measure, SIZE_CHART, TOLERANCE, UNITS } from "@/shop/catalog/size-chart";

type Unit = (typeof UNITS)[number];

export function SizeGuidelines({ className = "mt-5" }: { className?: string }) {
  const [isOpen, open] = useState(false);
  const [unit, setUnit] = useState<Unit>("Inches");
  const id = useId();
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="group flex items-center gap-2 rounded-sm text-sm font-semibold underline-offset-4 hover:underline"
        onClick={() => open(!isOpen)}
      >
        <Ruler aria-hidden="true" className="size-4" />
        Size Guidelines
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform group-aria-expanded:rotate-180"
        />
      </button>
      <div id={id}>{isOpen ? <Chart unit={unit} onUnit={setUnit} /> : null}</div>
    </div>
  );
}

function Chart({ unit, onUnit }: { unit: Unit; onUnit: (unit: Unit) => void }) {
  return (
    <>
      <div className="mt-3 flex gap-1">
        {UNITS.map((each) => (
          <Button
            key={each}
            type="button"
            size="sm"
            variant="ghost"
            aria-pressed={each === unit}
            className="aria-pressed:bg-sunk aria-pressed:ring-1 aria-pressed:ring-line-strong"
            onClick={() => onUnit(each)}
          >
            {each}
          </Button>
        ))}
      </div>
      <div className="mt-2 overflow-hidden rounded-lg border border-line">
        <table className="w-full text-sm tabular-nums [&_td]:px-2.5 [&_td]:py-2 [&_th]:px-2.5 [&_th]:py-2 [&_th]:text-left">
          <caption className="caption-bottom px-3 py-2 text-left text-ink-soft">
            {unit}, measured flat. Unisex fit; between two sizes, take the larger.
          </caption>
          <thead className="bg-sunk text-ink-soft">
            <tr>
              <th scope="col">Size</th>
              <th scope="col">Width</th>
              <th scope="col">Length</th>
              <th scope="col">Sleeve</th>
              <th scope="col">Tolerance</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {SIZE_CHART.map((row) => (
              <tr key={row.size}>
                <th scope="row">{row.size}</th>
                <td>{measure(row.width, unit)}</td>
                <td>{measure(row.length, unit)}</td>
                <td>{measure(row.sleeve, unit, 1)}</td>
                <td>± {measure(TOLERANCE, unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
