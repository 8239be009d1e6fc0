import { ArrowRight } from "lucide-react";
import type { FormEventHandler, ReactNode } from "react";
import { Button } from "@/components/ui/button";

interface FormLayoutProps {
  onSubmit: FormEventHandler;
  submit: string;
  preview: ReactNode;
  children: ReactNode;
}

/** A wizard's form: its sections and its button, with a preview beside them. */
export function FormLayout({ onSubmit, submit, preview, children }: FormLayoutProps) {
  return (
    <form
      noValidate
      onSubmit={onSubmit}
      className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-16"
    >
      <div className="flex flex-col gap-8">
        {children}
        <Button type="submit" size="lg" className="self-stretch max-[22rem]:px-3 sm:self-start">
          {submit}
          <ArrowRight aria-hidden="true" />
        </Button>
      </div>
      {preview}
    </form>
  );
}
