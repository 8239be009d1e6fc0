/** The sample templates' prints, drawn for the chest of a Tee (160 × 190). */
import type { ReactElement } from "react";

export type TemplateArt = () => ReactElement;

export function Typography() {
  return (
    <g fill="#1b1714" className="font-display" fontWeight="800" letterSpacing="-2">
      <text x="4" y="50" fontSize="46">
        less,
      </text>
      <text x="4" y="92" fontSize="46">
        but
      </text>
      <text x="4" y="134" fontSize="46" fill="#f0492f">
        louder
      </text>
      <path d="M4 150h152" stroke="#1b1714" strokeWidth="5" />
    </g>
  );
}

export function VintageBadge() {
  return (
    <g fill="none" stroke="#ffc53a" className="font-display">
      <circle cx="80" cy="84" r="74" strokeWidth="4" />
      <circle cx="80" cy="84" r="66" strokeWidth="1.5" />
      <path
        d="M80 42l9 19 21 3-15 15 4 21-19-10-19 10 4-21-15-15 21-3z"
        fill="#f0492f"
        stroke="none"
      />
      <text
        x="80"
        y="126"
        fill="#ffc53a"
        stroke="none"
        fontSize="15"
        fontWeight="800"
        textAnchor="middle"
      >
        RIVER TOWN
      </text>
      <text x="80" y="34" fill="#ffc53a" stroke="none" fontSize="11" textAnchor="middle">
        EST. 1987
      </text>
    </g>
  );
}

const multiply = { mixBlendMode: "multiply" as const };

export function NatureGraphics() {
  return (
    <g className="isolate">
      <circle cx="80" cy="66" r="50" fill="#ffc53a" />
      <path d="M2 130l46-62 30 36 24-28 56 54z" fill="#35b38a" style={multiply} />
      <g fill="none" stroke="#2746e6" strokeWidth="7" strokeLinecap="round" style={multiply}>
        <path d="M6 142c13-10 25-10 37 0s25 10 37 0 25-10 37 0 25 10 37 0" />
        <path d="M6 158c13-10 25-10 37 0s25 10 37 0 25-10 37 0 25 10 37 0" />
      </g>
    </g>
  );
}
