import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";

interface FailurePanelProps {
  title: string;
  message?: string;
  children: ReactNode;
}

export function FailurePanel({ title, message, children }: FailurePanelProps) {
  return (
    <Card
      role="alert"
      className="mx-auto my-8 flex max-w-lg flex-col items-center gap-4 py-10 text-center sm:px-10"
    >
      <TriangleAlert aria-hidden="true" className="size-9 text-tomato-text" />
      <h2 className="text-2xl">{title}</h2>
      {message ? <p className="text-ink-soft">{message}</p> : null}
      <div className="mt-2 flex flex-wrap justify-center gap-3">{children}</div>
    </Card>
  );
}
