import type { ReactNode } from "react";
import { Tee } from "@/components/print/tee";
import { Card } from "@/components/ui/card";

/** The card of both forms, beside a picture of a shirt on wide screens. */
export function AuthCard({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="shell grid items-center gap-16 py-12 lg:grid-cols-[1fr_26rem] lg:py-20">
      <div aria-hidden="true" className="hidden justify-center lg:flex">
        <div className="crop-marks halftone rounded-sm p-10 [--dot:var(--line)]">
          <Tee color="#FFC53A" className="w-96 -rotate-3 drop-shadow-[10px_10px_0_var(--plate)]">
            <g
              className="font-display"
              fontWeight="800"
              fontSize="58"
              letterSpacing="-3.500"
              textAnchor="middle"
            >
              {["Good", "idea.", "Wear it."].map((line, index) => (
                <g
                  key={line}
                  transform={`translate(80 ${58 + index * 50})`}
                  fontSize={index === 2 ? 35 : 58}
                  letterSpacing={index === 2 ? -1 : -3}
                >
                  <text fill="#F0492F">{line}</text>
                  <text fill="#2746E6" x="2.500" y="2.500" style={{ mixBlendMode: "multiply" }}>
                    {line}
                  </text>
                </g>
              ))}
            </g>
          </Tee>
        </div>
      </div>
      <Card className="mx-auto w-full max-w-md shadow-plate-lg sm:p-8">
        <h1 className="display-3">{title}</h1>
        {note ? <p className="mt-3 text-ink-soft">{note}</p> : null}
        <div className="mt-6 flex flex-col gap-4">{children}</div>
      </Card>
    </div>
  );
}
