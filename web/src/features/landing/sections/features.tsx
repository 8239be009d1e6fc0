const FEATURES = [
  {
    title: "Unlimited free designs",
    text: "Draw, look, change a word, draw again. You pay only for a shirt that you order.",
    plate: "bg-sunflower",
  },
  {
    title: "Powered by AI",
    text: "Ten styles for your words, nine for your photos, from line art to watercolor.",
    plate: "bg-mint",
  },
  {
    title: "No subscriptions, no hidden fees",
    text: "One price for every shirt in every size, XS to 4XL, and shipping said up front.",
    plate: "bg-tomato",
  },
  {
    title: "Fast delivery",
    text: "Printed to order: 3-7 business days in the US, 10-30 anywhere else.",
    plate: "bg-cobalt",
  },
];

export function Features() {
  return (
    <section aria-label="What you get" className="shell py-14 sm:py-20">
      <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {FEATURES.map((feature) => (
          <li key={feature.title}>
            <span
              aria-hidden="true"
              className={`mb-4 block h-2.5 w-16 rounded-sm ${feature.plate}`}
            />
            <h2 className="text-xl">{feature.title}</h2>
            <p className="mt-2 text-ink-soft">{feature.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
