import { AlertDialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { useReturnedFocus } from "@/lib/browser/returned-focus";
import { Button } from "./button";

interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  confirm: string;
  dismiss?: string;
  /** Not yet: what is asked about is on its way. */
  disabled?: boolean;
  onConfirm: () => void;
}

/** Confirms an action that cannot be undone, or not by oneself. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirm,
  dismiss = "Cancel",
  disabled = false,
  onConfirm,
}: ConfirmProps) {
  const returned = useReturnedFocus();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[#1b1714]/55" />
        <Primitive.Content
          {...returned}
          className="fixed top-1/2 left-1/2 z-50 flex w-[calc(100%-2rem)] max-w-md -translate-1/2 flex-col gap-4 rounded-card border border-line bg-raised p-6 shadow-plate-lg"
        >
          <Primitive.Title className="font-display text-xl font-bold">{title}</Primitive.Title>
          <Primitive.Description className="text-ink-soft">{description}</Primitive.Description>
          <div className="mt-2 flex flex-wrap justify-end gap-3">
            <Primitive.Cancel asChild>
              <Button variant="secondary">{dismiss}</Button>
            </Primitive.Cancel>
            <Primitive.Action asChild>
              <Button variant="danger" disabled={disabled} onClick={onConfirm}>
                {confirm}
              </Button>
            </Primitive.Action>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
