import { Check } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/text/cn";

export function Checkbox({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      data-slot="checkbox"
      className={cn(
        "grid size-6 shrink-0 place-items-center rounded-md border border-line-strong bg-raised data-[state=checked]:border-ink data-[state=checked]:bg-ink data-[state=checked]:text-paper",
        className,
      )}
      {...props}
    >
      <Primitive.Indicator>
        <Check aria-hidden="true" className="size-4" strokeWidth={3} />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
