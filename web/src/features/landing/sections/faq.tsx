import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { ShopLink } from "@/components/shop-link";
import { formatPrice } from "@/lib/text/format";
import { deliveryEstimate, PROMO_PRICE_CENTS } from "@/shop/catalog/pricing";

const link = "font-semibold text-cobalt-text underline underline-offset-4";

const QUESTIONS: { question: string; answer: ReactNode }[] = [
  {
    question: "How long does a design take?",
    answer: "A design takes 10-30 seconds. Ordering takes another two minutes.",
  },
  {
    question: "How many variations can I try?",
    answer:
      "You can generate unlimited variations, for free. Change a word, a style or the color and draw again until it is right.",
  },
  {
    question: "May I sell what I make?",
    answer:
      "Yes. Designs come with commercial usage rights, so merch tables, market stalls and online shops are all fine.",
  },
  {
    question: "What does a shirt cost?",
    answer: `${formatPrice(PROMO_PRICE_CENTS / 100)} a shirt, in US dollars, whatever the size. Shipping is free in the US and $5.90 flat anywhere else. No subscriptions, no hidden fees.`,
  },
  {
    question: "When will it arrive?",
    answer: `In ${deliveryEstimate("US")} in the US and ${deliveryEstimate("other")} anywhere else. Each shirt is printed for you, after you order it.`,
  },
  {
    question: "What if something is wrong with it?",
    answer: (
      <>
        If it arrives damaged, defective, misprinted, or isn't what you ordered, send us a photo and
        you get a replacement or a full refund. The{" "}
        <ShopLink to="/return-policy" className={link}>
          return policy
        </ShopLink>{" "}
        says it all.
      </>
    ),
  },
];

export function Faq() {
  return (
    <section
      id="faq-section"
      aria-labelledby="faq-title"
      className="border-y border-line bg-raised"
    >
      <div className="shell grid gap-x-12 gap-y-8 py-16 sm:py-24 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <h2 id="faq-title" className="display-2">
            Asked at the counter
          </h2>
          <p className="mt-5 text-lg text-ink-soft">
            More in the{" "}
            <ShopLink to="/faq" className={link}>
              Help Center
            </ShopLink>
            .
          </p>
        </div>
        <div className="border-t border-line-strong">
          {QUESTIONS.map(({ question, answer }) => (
            <details key={question} className="group border-b border-line-strong">
              <summary className="flex items-center justify-between gap-4 py-5 font-display text-xl font-bold tracking-tight">
                <h3 className="text-xl">{question}</h3>
                <Plus
                  aria-hidden="true"
                  className="size-5 shrink-0 transition-transform group-open:rotate-45 motion-reduce:transition-none"
                />
              </summary>
              <p className="max-w-2xl pb-6 text-lg text-ink-soft">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
