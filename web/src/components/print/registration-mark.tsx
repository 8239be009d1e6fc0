/** The target a printer lines the plates up with. */
export function RegistrationMark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 40 40"
      aria-hidden="true"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <circle cx="20" cy="20" r="11" />
      <circle cx="20" cy="20" r="5" fill="currentColor" stroke="none" />
      <path d="M20 1v38M1 20h38" />
    </svg>
  );
}
