import { ChevronDown, Ruler } from "lucide-react";
import { Collapsible } from "radix-ui";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { measure, SIZE_CHART, TOLERANCE, UNITS } from "@/shop/catalog/size-chart";

export function SizeGuidelines({ className = "mt-5" }: { className?: string }) {
  const [unit, setUnit] = useState<(typeof UNITS)[number]>("Inches");
  return (
    <Collapsible.Root className={className}>
      <Collapsible.Trigger className="group flex items-center gap-2 rounded-sm text-sm font-semibold underline-offset-4 hover:underline">
        <Ruler aria-hidden="true" className="size-4" />
        Size Guidelines
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform group-data-[state=open]:rotate-180"
        />
      </Collapsible.Trigger>
      <Collapsible.Content>
        <div className="mt-3 flex gap-1">
          {UNITS.map((each) => (
            <Button
              key={each}
              type="button"
              size="sm"
              variant="ghost"
              aria-pressed={each === unit}
              className="aria-pressed:bg-sunk aria-pressed:ring-1 aria-pressed:ring-line-strong"
              onClick={() => setUnit(each)}
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
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
