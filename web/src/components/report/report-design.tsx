import { Flag } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { cn } from "@/lib/text/cn";
import { Button } from "../ui/button";

const ReportDialog = lazy(() =>
  import("./report-dialog").then((file) => ({ default: file.ReportDialog })),
);

interface ReportDesignProps {
  designId: string;
  /** Of a private design whose bare link was ended. */
  linkKey?: string | null;
  className?: string;
}

/** For everybody, with an account or without. The form is loaded when it is asked for. */
export function ReportDesign({ designId, linkKey = null, className }: ReportDesignProps) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className={cn("-ml-3 h-10 text-ink-soft", className)}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <Flag aria-hidden="true" />
        Report this design
      </Button>
      {wanted ? (
        <Suspense>
          <ReportDialog designId={designId} linkKey={linkKey} open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
