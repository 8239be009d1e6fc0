import { X } from "lucide-react";
import { Dialog as DialogPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { useReturnedFocus } from "@/lib/browser/returned-focus";
import { cn } from "@/lib/text/cn";

const overlay =
  "fixed inset-0 z-40 bg-[#1b1714]/55 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=closed]:animate-out data-[state=closed]:fade-out-0";

export const Dialog = DialogPrimitive.Root;

function Close() {
  return (
    <DialogPrimitive.Close className="absolute top-3 right-3 grid size-9 place-items-center rounded-lg bg-raised text-ink-soft hover:bg-sunk hover:text-ink">
      <X aria-hidden="true" className="size-5" />
      <span className="sr-only">Close</span>
    </DialogPrimitive.Close>
  );
}

export function DialogContent({
  className,
  children,
  ...props
}: ComponentProps<typeof DialogPrimitive.Content>) {
  const returned = useReturnedFocus();
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlay} />
      <DialogPrimitive.Content
        data-slot="dialog"
        {...returned}
        className={cn(
          "fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100%-2rem)] base:max-w-md -translate-1/2 flex-col base:gap-4 overflow-y-auto rounded-card border border-line bg-raised base:p-6 shadow-plate-lg",
          className,
        )}
        {...props}
      >
        {children}
        <Close />
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  );
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof DialogPrimitive.Title>) {
  return (
    <DialogPrimitive.Title
      className={cn("pr-8 font-display base:text-xl font-bold", className)}
      {...props}
    />
  );
}

export function DialogDescription({
  className,
  ...props
}: ComponentProps<typeof DialogPrimitive.Description>) {
  return <DialogPrimitive.Description className={cn("text-ink-soft", className)} {...props} />;
}
