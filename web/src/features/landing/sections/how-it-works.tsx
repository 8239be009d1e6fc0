import { Walkthrough } from "../walkthrough/walkthrough";

const STEPS = [
  {
    title: "Describe the idea",
    text: "A sentence is enough. Or upload a photo of someone you love to look at.",
  },
  {
    title: "AI creates designs",
    text: "Pick a style and a tone; the picture is ready in about half a minute.",
  },
  {
    title: "See if you like it and retry",
    text: "Look at it on the shirt, in your color. Not quite it? Again, as often as you like.",
  },
  {
    title: "Order and enjoy",
    text: "Choose sizes, pay by card, and wear something nobody else has.",
  },
];

export function HowItWorks() {
  return (
    <section id="how-it-works" aria-labelledby="how-title" className="shell py-16 sm:py-24">
      <h2 id="how-title" className="display-2 mb-10">
        How it works
      </h2>
      <ol className="grid gap-x-8 gap-y-9 sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map((step, index) => (
          <li key={step.title} className="border-t-[3px] border-ink pt-4">
            <span
              aria-hidden="true"
              className="font-display text-5xl font-extrabold tracking-tighter text-tomato-text"
            >
              {index + 1}
            </span>
            <h3 className="mt-3 text-xl">{step.title}</h3>
            <p className="mt-2 text-ink-soft">{step.text}</p>
          </li>
        ))}
      </ol>
      <Walkthrough />
    </section>
  );
}
