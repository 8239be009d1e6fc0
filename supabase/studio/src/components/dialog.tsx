/** Windows over the page, of the browser's own: it keeps the focus in them and closes them at Escape. */
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { Button } from "./button";
import { cn } from "./classes";

interface Props {
  title: ReactNode;
  description: ReactNode;
  onClose: () => void;
  children?: ReactNode;
}

interface ModalProps extends Props {
  role?: "alertdialog";
  /** Its width and place. */
  className: string;
  /** Classes of the line below the title. */
  subtitle?: string;
}

function Modal({ title, description, onClose, children, role, className, subtitle }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>("[data-first]")?.focus();
    // While it is in the page: so the browser gives the focus back.
    return () => element?.close();
  }, []);
  useEffect(
    () => () => {
      // What opened it may have gone with it, such as the button of a deleted row.
      if (document.activeElement === document.body) document.querySelector("main")?.focus();
    },
    [],
  );
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
      closedby={role ? "closerequest" : "any"}
      className={cn(
        "max-h-[90dvh] w-[calc(100%-2rem)] overflow-y-auto rounded-lg border border-line bg-raised text-ink shadow-xl backdrop:bg-black/55",
        className,
      )}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="flex flex-col gap-4 p-6">
        <h2 id={`${id}-title`} className="pr-8 text-xl">
          {title}
        </h2>
        <p id={`${id}-description`} className={subtitle ?? "text-ink-soft"}>
          {description}
        </p>
        {children}
      </div>
    </dialog>
  );
}

/** `className` is its width and place, where it is not small and in the middle. */
export function Dialog({
  className = "m-auto max-w-md",
  children,
  ...props
}: Props & { className?: string; subtitle?: string }) {
  return (
    <Modal className={className} {...props}>
      {children}
      <Button
        variant="ghost"
        icon
        aria-label="Close"
        className="absolute top-3 right-3"
        onClick={props.onClose}
      >
        <X aria-hidden="true" />
      </Button>
    </Modal>
  );
}

/** Asks before what cannot be undone. */
export function ConfirmDialog({
  confirm,
  onConfirm,
  ...props
}: Omit<Props, "children"> & { confirm: string; onConfirm: () => void }) {
  return (
    <Modal role="alertdialog" className="m-auto max-w-md" {...props}>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={props.onClose}>
          Cancel
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            props.onClose();
            onConfirm();
          }}
        >
          {confirm}
        </Button>
      </div>
    </Modal>
  );
}
