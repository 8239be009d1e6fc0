import { useState } from "react";
import { Tee } from "@/components/print/tee";
import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/text/cn";
import { formatPrice } from "@/lib/text/format";
import { PROMO_PRICE_CENTS } from "@/shop/catalog/pricing";
import { COLORS, IDEAS, SIZES, STEPS, STYLES, type Style } from "./choices";
import { Options } from "./options";

const HINTS = [
  "In the shop you write your own words, or upload a photo. Here, borrow ours.",
  "The same idea in another hand. Try all three: drawing again costs nothing.",
  "Look at it on the cloth before you decide.",
  "Pick a size and that's it: we print it and send it to your door.",
];

/** A small press to play with: the shop's own steps on pictures that were drawn beforehand. Needs no account. */
export function Walkthrough() {
  const [step, setStep] = useState(0);
  const [idea, setIdea] = useState(IDEAS[0]);
  const [style, setStyle] = useState<Style>("Cartoon");
  const [color, setColor] = useState<(typeof COLORS)[number]>(COLORS[0]);
  const [size, setSize] = useState<(typeof SIZES)[number]>("M");
  const last = step === STEPS.length - 1;
  return (
    <section
      aria-labelledby="demo-title"
      className="mt-16 grid overflow-hidden rounded-card border-[1.5px] border-ink bg-raised shadow-plate-lg lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] dark:border-line-strong"
    >
      <div className="flex flex-col gap-6 p-5 sm:p-9">
        <div>
          <h3 id="demo-title" className="display-3">
            Have a go, right here
          </h3>
          <p className="mt-2 text-ink-soft">No account, no waiting. Four steps, as in the shop.</p>
        </div>
        <ol aria-label="Steps of the demo" className="flex border-b border-line">
          {STEPS.map((name, index) => (
            <li key={name} className="flex-1">
              <button
                type="button"
                aria-current={index === step ? "step" : undefined}
                onClick={() => setStep(index)}
                className={cn(
                  "-mb-px w-full border-b-[3px] base:border-transparent px-1 py-2.5 text-left font-semibold base:text-ink-soft hover:text-ink",
                  index === step && "border-tomato text-ink",
                )}
              >
                <span className="tabular-nums">{index + 1}</span> {name}
              </button>
            </li>
          ))}
        </ol>
        <div className="min-h-58 sm:min-h-52">
          <p aria-live="polite" className="mb-4 text-ink-soft">
            {HINTS[step]}
          </p>
          {step === 0 ? (
            <Options
              label="Idea"
              options={IDEAS.map((each) => each.words)}
              chosen={idea.words}
              onChoose={(words) => setIdea(IDEAS.find((each) => each.words === words) ?? IDEAS[0])}
            />
          ) : null}
          {step === 1 ? (
            <Options label="Style" options={STYLES} chosen={style} onChoose={setStyle} />
          ) : null}
          {step === 2 ? (
            <Options
              label="Color"
              options={COLORS.map((each) => each.name)}
              chosen={color.name}
              swatch={(name) => COLORS.find((each) => each.name === name)?.hex}
              onChoose={(name) => setColor(COLORS.find((each) => each.name === name) ?? COLORS[0])}
            />
          ) : null}
          {last ? (
            <>
              <Options label="Size" options={SIZES} chosen={size} onChoose={setSize} />
              <p className="mt-5 text-lg">
                One {color.name.toLowerCase()} shirt, size {size}:{" "}
                <strong className="tabular-nums">{formatPrice(PROMO_PRICE_CENTS / 100)}</strong>
                <span className="text-ink-soft">, shipping in the US is free</span>
              </p>
            </>
          ) : null}
        </div>
        <div className="mt-auto flex flex-wrap items-center gap-3">
          <Button variant="secondary" disabled={step === 0} onClick={() => setStep(step - 1)}>
            Back
          </Button>
          {last ? (
            <Button asChild>
              <ShopLink to="/signup">Now with your own idea</ShopLink>
            </Button>
          ) : (
            <Button onClick={() => setStep(step + 1)}>Next</Button>
          )}
        </div>
      </div>
      <div className="halftone relative grid place-items-center border-t border-line bg-sunk p-6 sm:p-10 lg:border-t-0 lg:border-l">
        <div className="relative w-full max-w-md">
          <Tee color={color.hex} className="w-full drop-shadow-[7px_7px_0_var(--plate)]" />
          <img
            key={idea.words + style}
            src={idea.pictures[style]}
            alt={`${idea.words}, ${style.toLowerCase()}, on a ${color.name.toLowerCase()} shirt`}
            width={420}
            height={420}
            loading="lazy"
            decoding="async"
            className="wipe-in absolute top-[25%] left-[29%] aspect-square w-[42%] object-contain"
          />
        </div>
      </div>
    </section>
  );
}
