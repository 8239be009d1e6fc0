import { Link, useLocation } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { signInPath } from "@/lib/browser/redirect";
import { useSession } from "@/lib/session/session-provider";
import { useImport } from "@/shop/designs/use-import";
import type { PreviewDesign } from "../api/get-preview-design";

interface NextStepProps {
  design: PreviewDesign;
  colorId: string | undefined;
}

/** Owners order the design itself. Other users import a copy first and order the copy. */
export function NextStep({ design, colorId }: NextStepProps) {
  if (!design.isOwn) return <UseThisDesign designId={design.id} />;
  if (!design.printify_product_id || !colorId) {
    return (
      <Button size="lg" disabled>
        Processing...
      </Button>
    );
  }
  return (
    <Button asChild size="lg">
      <Link to={`/order?design=${design.id}&color=${colorId}`}>Order Now</Link>
    </Button>
  );
}

function UseThisDesign({ designId }: { designId: string }) {
  const { user } = useSession();
  const location = useLocation();
  const { importing, importNow } = useImport(designId);
  return (
    <>
      <Button size="lg" busy={importing} onClick={importNow}>
        {importing ? "Importing Design..." : "Use This Design"}
      </Button>
      {user ? null : (
        <p className="w-full text-sm text-ink-soft">
          Is this your design?{" "}
          <Link
            to={signInPath(location)}
            className="font-semibold text-cobalt-text underline underline-offset-4"
          >
            Log In
          </Link>{" "}
          to order it.
        </p>
      )}
    </>
  );
}
