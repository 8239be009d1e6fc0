const STATS = [
  { figure: "20+", label: "happy creators" },
  { figure: "500+", label: "designs" },
  { figure: "4.9/5", label: "rating" },
  { figure: "30s", label: "average design time" },
];

export function StatsStrip() {
  return (
    <div className="border-t border-line bg-raised">
      <dl className="shell grid grid-cols-2 gap-x-6 gap-y-5 py-6 sm:grid-cols-4">
        {STATS.map((stat) => (
          <div
            key={stat.label}
            className="flex flex-col-reverse lg:flex-row-reverse lg:items-baseline lg:justify-end lg:gap-2.5"
          >
            <dt className="text-sm text-ink-soft sm:text-[0.95rem]">{stat.label}</dt>
            <dd className="font-display text-3xl font-extrabold tracking-tighter tabular-nums">
              {stat.figure}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
