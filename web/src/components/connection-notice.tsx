import { WifiOff } from "lucide-react";
import { useOnline } from "@/lib/browser/use-online";

/** Says that the network is gone, for as long as it is. */
export function ConnectionNotice() {
  const online = useOnline();
  return (
    <div role="status" className="fixed inset-x-0 bottom-0 z-40 empty:hidden">
      {online ? null : (
        <p className="flex items-center justify-center gap-2.5 bg-ink px-4 py-3 text-center text-sm font-semibold text-paper">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          You're offline. What you typed stays here; we'll carry on when you're back.
        </p>
      )}
    </div>
  );
}
