/** Every key that Studio knows. */
import { Dialog } from "../components/dialog";
import { PAGES } from "./pages";

const GROUPS: [string, [string, string][]][] = [
  [
    "Anywhere",
    [
      ["Ctrl K", "go to a page or table"],
      ["/", "to the filter, or the first field"],
      ["Esc", "leave a field or a dialog"],
      ["?", "this list"],
    ],
  ],
  ["Pages", PAGES.map(({ letter, title }): [string, string] => [`g ${letter}`, title])],
  [
    "Rows",
    [
      ["↑ ↓ ← →", "between rows and cells"],
      ["Home End", "to a row's first and last cell"],
      ["Enter", "edit the cell"],
      ["Shift Enter", "follow the cell's foreign key"],
      ["Space", "choose the row"],
      ["w", "why is this row hidden?"],
    ],
  ],
  [
    "SQL and forms",
    [
      ["Ctrl Enter", "run, save, call"],
      ["Ctrl Shift Enter", "explain and measure"],
      ["Ctrl Space", "complete a name"],
    ],
  ],
];

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Keys"
      description="Every page works without a mouse."
      className="m-auto max-w-2xl"
      subtitle="sr-only"
      onClose={onClose}
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {GROUPS.map(([title, keys]) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1.5 text-sm font-semibold text-ink-soft">{title}</h3>
            <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5 text-sm">
              {keys.map(([key, does]) => (
                <div key={key} className="contents">
                  <dt className="flex gap-1">
                    {key.split(" ").map((part) => (
                      <kbd
                        key={part}
                        className="rounded border border-line-strong bg-sunk px-1.5 font-mono text-[0.8rem]"
                      >
                        {part}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
