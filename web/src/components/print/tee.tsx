import { type ReactNode, useId } from "react";

interface TeeProps {
  color: string;
  /** SVG content for the chest, in a box of 160 × 190. */
  children?: ReactNode;
  /** Seen from behind, where the collar lies higher. */
  back?: boolean;
  className?: string;
}

const NECK = {
  front: {
    edge: "c22 30 122 30 144 0",
    collar: "M128 26c22 34 122 34 144 0 M118 22c28 46 136 46 164 0",
  },
  back: {
    edge: "c22 9 122 9 144 0",
    collar: "M128 26c22 12 122 12 144 0 M118 22c28 24 136 24 164 0",
  },
};
const BELOW_NECK =
  "l58 20c17 6 27 15 34 30l34 76c3 7 0 12-6 15l-50 22c-7 3-12 0-14-6l-12-32v246c0 12-6 17-18 17H102c-12 0-18-5-18-17V151l-12 32c-2 6-7 9-14 6L8 167c-6-3-9-8-6-15l34-76c7-15 17-24 34-30z";

/** A drawn shirt: cloth, folds, collar, and room for a print. */
export function Tee({ color, children, back = false, className }: TeeProps) {
  const id = useId();
  const neck = back ? NECK.back : NECK.front;
  const body = `M128 26${neck.edge}${BELOW_NECK}`;
  return (
    <svg viewBox="-6 10 412 414" aria-hidden="true" className={className}>
      <defs>
        <linearGradient id={`${id}cloth`} x1="0" x2="1" y1="0" y2="0.25">
          <stop offset="0" stopColor="#fff" stopOpacity="0.16" />
          <stop offset="0.55" stopColor="#fff" stopOpacity="0" />
          <stop offset="1" stopColor="#000" stopOpacity="0.12" />
        </linearGradient>
        <clipPath id={`${id}body`}>
          <path d={body} />
        </clipPath>
      </defs>
      <path d={body} fill={color} />
      <path d={body} fill={`url(#${id}cloth)`} />
      <path
        d={neck.collar}
        fill="none"
        stroke="#000"
        strokeOpacity="0.28"
        strokeWidth="2"
        clipPath={`url(#${id}body)`}
      />
      <g fill="none" stroke="#000" strokeOpacity="0.13" strokeWidth="3" strokeLinecap="round">
        <path d="M84 151c4-22 3-44-2-62M316 151c-4-22-3-44 2-62" />
        <path d="M92 402c20-26 22-52 16-84M306 396c-18-20-24-42-20-66M86 214c12 10 16 24 14 40" />
      </g>
      <g transform="translate(120 112)">{children}</g>
      <path
        d={body}
        fill="none"
        stroke="#1b1714"
        strokeOpacity="0.85"
        strokeWidth="2.500"
        strokeLinejoin="round"
      />
    </svg>
  );
}
