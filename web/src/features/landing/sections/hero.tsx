import { Link } from "react-router-dom";
import { Overprint } from "@/components/print/overprint";
import { Button } from "@/components/ui/button";
import { formatPrice } from "@/lib/format";
import { PROMO_PRICE_CENTS } from "@/lib/shop/pricing";
import { HeroArt } from "./hero-art";

export function Hero() {
  return (
    <section className="overflow-hidden border-b border-line">
      <div className="shell grid items-center gap-14 py-12 sm:py-16 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-10 lg:py-20">
        <div>
          <h1 className="display-1">
            Think it.
            <br />
            <Overprint>Wear it.</Overprint>
          </h1>
          <p className="mt-7 max-w-lg text-xl leading-relaxed text-ink-soft">
            Describe an idea, or bring a photo. You see it drawn in half a minute, and we print it
            on a shirt, one or ten, and send it to your door.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
            <Button asChild size="lg">
              <Link to="/signup">Start Designing for Free</Link>
            </Button>
            <p className="text-sm text-ink-soft">
              No credit card needed to start.
              <br />A shirt is{" "}
              <strong className="text-ink">{formatPrice(PROMO_PRICE_CENTS / 100)}</strong>, shipping
              in the US is free.
            </p>
          </div>
        </div>
        <HeroArt />
      </div>
    </section>
  );
}
