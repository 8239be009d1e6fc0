/** What there is to know about an order, beside its stages. */
export function Notices({ texts }: { texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <div className="mb-8 flex flex-col gap-3">
      {texts.map((text) => (
        <p key={text} className="rounded-card border border-line-strong bg-sunk px-5 py-4">
          {text}
        </p>
      ))}
    </div>
  );
}
