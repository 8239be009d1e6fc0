import { Spinner } from "./ui/spinner";

export function LoadingScreen({ text }: { text: string }) {
  return (
    <div role="status" className="grid min-h-[60vh] place-items-center">
      <span className="flex items-center gap-3 text-ink-soft">
        <Spinner className="size-5" />
        {text}
      </span>
    </div>
  );
}
