import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";
import { PICTURES } from "../pictures";
import { type Example, FlipCard } from "./flip-card";

const EXAMPLES: Example[] = [
  {
    name: "The octopus",
    kind: "text",
    shirt: PICTURES.octopus,
    shown: "A white shirt with an octopus at the drums",
    words: "An octopus playing the drums",
    style: "Cartoon, colorful",
  },
  {
    name: "The cat",
    kind: "photo",
    shirt: PICTURES.cat,
    shown: "A sand-colored shirt with a cat's face drawn in ink",
    photo: PICTURES.catPhoto,
    words: "A photo of a cat",
    style: "Sketch",
  },
  {
    name: "The surfer",
    kind: "text",
    shirt: PICTURES.astronaut,
    shown: "A black shirt with a cat in a space suit on a wave",
    words: "An astronaut cat surfing a wave in space",
    style: "Cartoon, bright",
  },
  {
    name: "The espresso",
    kind: "photo",
    shirt: PICTURES.coffee,
    shown: "A white shirt with a coffee cup in flat, loud inks",
    photo: PICTURES.coffeePhoto,
    words: "A photo of a cup of coffee",
    style: "Pop art",
  },
];

export function MagicGallery() {
  return (
    <section aria-labelledby="gallery-title" className="border-y border-line bg-sunk">
      <div className="shell py-16 sm:py-24">
        <div className="mb-10 flex flex-wrap items-end justify-between gap-6">
          <div>
            <h2 id="gallery-title" className="display-2 max-w-2xl">
              Turn one over
            </h2>
            <p className="mt-4 max-w-lg text-lg text-ink-soft">
              Every shirt here began as a sentence or a snapshot. Flip it to see which.
            </p>
          </div>
          <Button asChild variant="secondary">
            <ShopLink to="/auth">Make your own</ShopLink>
          </Button>
        </div>
        <ul className="grid gap-5 sm:grid-cols-2 sm:gap-6 lg:grid-cols-4">
          {EXAMPLES.map((example) => (
            <li key={example.name}>
              <FlipCard example={example} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
