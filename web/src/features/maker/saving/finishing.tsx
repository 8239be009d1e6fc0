import { Spinner } from "@/components/ui/spinner";

/** While the print product is made. It goes on wherever the user goes. */
export function Finishing({ name }: { name: string }) {
  return (
    <div className="shell grid min-h-[60vh] place-items-center py-16">
      <div role="status" className="flex max-w-md flex-col items-center gap-4 text-center">
        <Spinner className="size-10 text-tomato" />
        <h1 className="display-3">Making your print</h1>
        <p className="text-ink-soft">
          We draw “{name.slice(0, 60)}” at 300 DPI, look it over, and set it up at the printer. This
          takes about half a minute; you need not wait here.
        </p>
      </div>
    </div>
  );
}
