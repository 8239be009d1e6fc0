import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";
import { delivery } from "@/shop/owner-settings";
import { TutorialVideo } from "../video/tutorial-video";

const FEATURES = [
  {
    title: "Unlimited free designs",
    text: "Draw, look, change a word, draw again. Design is free; you pay only for a shirt that you order.",
    plate: "bg-sunflower",
  },
  {
    title: "Powered by AI",
    text: "Ten styles for your words, nine for your photos, from line art to watercolor. No drawing skills asked.",
    plate: "bg-mint",
  },
  {
    title: "No subscriptions, no hidden fees",
    text: "No credit card needed to start. One price for every size, XS to 4XL, and shipping said up front.",
    plate: "bg-tomato",
  },
  {
    title: "Fast delivery",
    text: `Printed to order and on its way: ${delivery.home} in the US, ${delivery.abroad.replace(/ business days$/, "")} anywhere else.`,
    plate: "bg-cobalt",
  },
];

export function Features() {
  return (
    <section aria-labelledby="features-title" className="shell py-16 sm:py-24">
      <div className="grid items-end gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <h2 id="features-title" className="display-2">
          Your idea in.
          <br />A real shirt out.
        </h2>
        <p className="max-w-lg text-lg text-ink-soft">
          No templates to fight with, no software to learn, no minimum order. Tell us what you see
          in your head; the press does the rest.
        </p>
      </div>
      <ul className="mt-12 grid gap-x-8 gap-y-9 sm:grid-cols-2 lg:grid-cols-4">
        {FEATURES.map((feature) => (
          <li key={feature.title}>
            <span
              aria-hidden="true"
              className={`mb-4 block h-2.5 w-16 rounded-sm ${feature.plate}`}
            />
            <h3 className="text-xl">{feature.title}</h3>
            <p className="mt-2 text-ink-soft">{feature.text}</p>
          </li>
        ))}
      </ul>
      <div className="mx-auto mt-16 max-w-4xl">
        <TutorialVideo />
        <p className="mt-5 flex justify-center">
          <Button asChild variant="secondary">
            <ShopLink to="/discover">See what others have made</ShopLink>
          </Button>
        </p>
      </div>
    </section>
  );
}
