import type { ReactNode } from "react";
import { RegistrationMark } from "./print/registration-mark";

interface MessagePageProps {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

/** A page that says one thing: not found, access denied, nothing chosen. */
export function MessagePage({ title, text, children }: MessagePageProps) {
  return (
    <div className="shell grid min-h-[60vh] place-items-center py-16">
      <div className="flex max-w-md flex-col items-center gap-4 text-center">
        <RegistrationMark className="size-12 text-line-strong" />
        <h1 className="display-3">{title}</h1>
        {text ? <p className="text-ink-soft">{text}</p> : null}
        {children ? (
          <div className="mt-2 flex flex-wrap justify-center gap-3">{children}</div>
        ) : null}
      </div>
    </div>
  );
}
