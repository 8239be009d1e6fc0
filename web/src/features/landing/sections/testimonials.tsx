const TESTIMONIALS = [
  {
    quote:
      "I typed “my grandpa's tractor, but heroic” and thirty seconds later I had his birthday present. He wore it to the fair.",
    name: "Hannah M.",
    detail: "one shirt, size XL",
    ink: "bg-mint",
  },
  {
    quote:
      "Our climbing group has nine opinions about everything. We tried eleven versions for free, agreed on one, and ordered nine.",
    name: "Luis R.",
    detail: "nine shirts for a club",
    ink: "bg-sunflower",
  },
  {
    quote:
      "The photo of our old cat was blurry. The line drawing on the shirt is not. I may have cried a little at the mailbox.",
    name: "Priya S.",
    detail: "from a photo",
    ink: "bg-tomato",
  },
];

export function Testimonials() {
  return (
    <section aria-labelledby="testimonials-title" className="shell py-16 sm:py-24">
      <h2 id="testimonials-title" className="display-2 mb-10">
        Worn and approved
      </h2>
      <ul className="grid gap-6 lg:grid-cols-3">
        {TESTIMONIALS.map((each) => (
          <li key={each.name} className="flex">
            <figure className="flex flex-1 flex-col justify-between gap-6 rounded-card border border-line bg-raised p-6 shadow-plate sm:p-7">
              <div>
                <p className="text-sunflower-text">
                  <span className="sr-only">5 of 5 stars</span>
                  <span aria-hidden="true" className="tracking-[0.15em]">
                    ★★★★★
                  </span>
                </p>
                <blockquote className="mt-3 text-lg leading-relaxed">{each.quote}</blockquote>
              </div>
              <figcaption className="flex items-center gap-3">
                <span
                  aria-hidden="true"
                  className={`grid size-11 place-items-center rounded-full font-display text-lg font-extrabold text-on-ink ${each.ink}`}
                >
                  {each.name[0]}
                </span>
                <span>
                  <span className="block font-semibold">{each.name}</span>
                  <span className="block text-sm text-ink-soft">{each.detail}</span>
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}
