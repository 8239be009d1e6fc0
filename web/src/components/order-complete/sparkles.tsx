/** The title's ✨, drawn: not every machine has a font for it. */
export function Sparkles() {
  return (
    <svg
      viewBox="0 0 40 40"
      aria-hidden="true"
      className="mr-1 inline size-[0.85em] align-[-0.06em]"
    >
      <path
        d="M17 4c2 10 5 13 15 15-10 2-13 5-15 15-2-10-5-13-15-15 10-2 13-5 15-15Z"
        fill="var(--sunflower)"
      />
      <path
        d="M33 2c.8 4 2 5.200 6 6-4 .8-5.200 2-6 6-.8-4-2-5.200-6-6 4-.8 5.200-2 6-6Z"
        fill="var(--tomato)"
      />
      <path
        d="M32 27c.7 3.300 1.700 4.300 5 5-3.300.7-4.300 1.700-5 5-.7-3.300-1.700-4.300-5-5 3.300-.7 4.300-1.700 5-5Z"
        fill="var(--cobalt)"
      />
    </svg>
  );
}
