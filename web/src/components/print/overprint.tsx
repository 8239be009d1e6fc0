/** Words in two inks, a hair out of register. */
export function Overprint({ children }: { children: string }) {
  return (
    <span className="overprint" data-text={children}>
      {children}
    </span>
  );
}
