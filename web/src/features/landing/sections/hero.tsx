import { ArrowDown } from "lucide-react";
import { Overprint } from "@/components/print/overprint";
import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";
import { formatPrice } from "@/lib/text/format";
import { PROMO_PRICE_CENTS } from "@/shop/catalog/pricing";
import { HeroArt } from "./hero-art";
import { StatsStrip } from "./stats-strip";

export function Hero() {
  return (
    <section aria-labelledby="hero-title" className="overflow-hidden border-b border-line">
      <div className="shell grid items-center gap-12 pt-10 pb-12 sm:pt-14 sm:pb-16 lg:grid-cols-[minmax(0,6fr)_minmax(0,5.4fr)] lg:gap-8 lg:pt-16">
        <div>
          <p className="mb-5 inline-flex items-center gap-2 text-[0.95rem] font-semibold text-ink-soft">
            <span aria-hidden="true" className="size-2.5 rounded-full bg-tomato" />
            Custom t-shirts from your words or a photo
          </p>
          <h1 id="hero-title" className="display-1">
            Think it.
            <br />
            <Overprint>Wear it.</Overprint>
          </h1>
          <p className="mt-7 max-w-xl text-xl leading-relaxed text-ink-soft">
            Say what should be on your shirt, or bring a picture. AI draws it in half a minute. Like
            it? We print it, one or ten, and send it to your door.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-4">
            <Button asChild size="lg">
              <ShopLink to="/signup">Start Designing for Free</ShopLink>
            </Button>
            <Button asChild size="lg" variant="ghost" className="px-4">
              <a href="#how-it-works">
                See how it works
                <ArrowDown aria-hidden="true" />
              </a>
            </Button>
          </div>
          <p className="mt-5 text-sm text-ink-soft">
            No credit card needed to start. A shirt is{" "}
            <strong className="text-ink tabular-nums">
              {formatPrice(PROMO_PRICE_CENTS / 100)}
            </strong>
            , shipping in the US is free.
          </p>
        </div>
        <HeroArt />
      </div>
      <StatsStrip />
    </section>
  );
}
