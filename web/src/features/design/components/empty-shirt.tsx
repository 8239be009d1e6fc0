import { Shirt } from "lucide-react";
import { useNavigate } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { notifyProblem } from "@/lib/errors/notify";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups } from "@/shop/catalog/variants";
import { useBeginDesign } from "../api/begin-design";

/** For those who bring their own picture, or want words alone. */
export function EmptyShirt() {
  const variants = useProductVariants();
  const beginning = useBeginDesign();
  const navigate = useNavigate();
  const [color] = colorGroups(variants.data ?? []);

  function begin() {
    if (!color) return;
    beginning.mutate([color.variant.id], {
      onSuccess: (id) => void navigate(`/adjust?design=${id}`),
      onError: (error) =>
        notifyProblem("That did not work", errorMessage(error, "Please try again in a moment.")),
    });
  }

  return (
    <section
      aria-labelledby="empty-shirt"
      className="mt-10 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-t border-line pt-8"
    >
      <div className="max-w-xl">
        <h2 id="empty-shirt" className="text-xl">
          Have it in your head already?
        </h2>
        <p className="mt-1 text-ink-soft">
          Lay out your own artwork, lettering and shapes, front and back, just as they will be
          printed.
        </p>
      </div>
      <Button variant="secondary" busy={beginning.isPending} disabled={!color} onClick={begin}>
        <Shirt aria-hidden="true" />
        Start with an empty shirt
      </Button>
    </section>
  );
}
