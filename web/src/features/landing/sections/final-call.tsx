import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";

export function FinalCall() {
  return (
    <section aria-labelledby="final-title" className="shell pt-16 sm:pt-24">
      <div className="relative overflow-hidden rounded-card border-[1.5px] border-[#1b1714] bg-sunflower px-6 py-14 text-center text-[#1b1714] sm:py-20">
        <span aria-hidden="true" className="halftone absolute inset-0 [--dot:#1b17142e]" />
        <div className="relative flex flex-col items-center gap-6">
          <h2 id="final-title" className="display-1">
            Your turn.
          </h2>
          <p className="max-w-md text-lg">
            The press is warm. Tell us what should be on the shirt.
          </p>
          <Button asChild size="lg" className="dark:border-[#1b1714] dark:[--edge:#1b1714]">
            <ShopLink to="/signup">Start Creating Now - FREE</ShopLink>
          </Button>
        </div>
      </div>
    </section>
  );
}
