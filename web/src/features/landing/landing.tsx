import { PromoBanner } from "./promo/promo-banner";
import { Faq } from "./sections/faq";
import { Features } from "./sections/features";
import { FinalCall } from "./sections/final-call";
import { Hero } from "./sections/hero";
import { HowItWorks } from "./sections/how-it-works";
import { MagicGallery } from "./sections/magic-gallery";
import { Testimonials } from "./sections/testimonials";
import { UseCases } from "./sections/use-cases";

/** The landing page for anonymous visitors. The build prerenders it, so nothing here may read a session. */
export function Landing() {
  return (
    <>
      <title>Teesmith: custom t-shirts from your words or a photo</title>
      <PromoBanner />
      <Hero />
      <Features />
      <MagicGallery />
      <Testimonials />
      <UseCases />
      <HowItWorks />
      <Faq />
      <FinalCall />
    </>
  );
}
