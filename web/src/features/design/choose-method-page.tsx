import { ImageUp, LayoutTemplate, type LucideIcon, PenLine } from "lucide-react";
import { Link } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { PageTitle } from "@/components/page-title";
import { Tee } from "@/components/print/tee";
import { cn } from "@/lib/text/cn";
import { EmptyShirt } from "./components/empty-shirt";

interface Method {
  title: string;
  text: string;
  icon: LucideIcon;
  plate: string;
  to?: string;
}

const METHODS: Method[] = [
  {
    title: "Create Your Own",
    text: "Put your idea into words. Choose a style and a tone, and see it drawn in half a minute.",
    icon: PenLine,
    plate: "bg-sunflower",
    to: "/design/ai-generator",
  },
  {
    title: "Create from Template",
    text: "Start with a finished layout and make it yours.",
    icon: LayoutTemplate,
    plate: "bg-line",
  },
  {
    title: "Create from Picture",
    text: "Bring a photo: a pet, a friend, a place. We turn it into a print in the style you like.",
    icon: ImageUp,
    plate: "bg-mint",
    to: "/design/from-picture",
  },
];

export function ChooseMethodPage() {
  return (
    <div className="shell py-8 sm:py-12">
      <PageTitle>New design</PageTitle>
      <BackLink to="/dashboard">Back to Dashboard</BackLink>
      <h1 className="display-2 mt-4 max-w-xl">How would you like to begin?</h1>
      <ul className="mt-10 grid gap-8 md:grid-cols-3">
        {METHODS.map((method) => (
          <MethodCard key={method.title} method={method} />
        ))}
      </ul>
      <EmptyShirt />
    </div>
  );
}

function MethodCard({ method: { title, text, icon: Icon, plate, to } }: { method: Method }) {
  return (
    <li
      className={cn(
        "group relative flex flex-col overflow-hidden rounded-card border border-line bg-raised transition-transform has-[a:hover]:-translate-y-1 motion-reduce:transition-none",
        to && "shadow-plate",
      )}
    >
      <div
        className={cn(
          "relative grid h-48 items-start justify-items-center overflow-hidden pt-6 base:text-[#1b1714] sm:h-52",
          plate,
          !to && "text-ink-soft",
        )}
      >
        <span aria-hidden="true" className="halftone absolute inset-0 [--dot:#1b171440]" />
        <span aria-hidden="true" className="relative">
          <Tee
            color={to ? "#fffdf9" : "#e9e1d2"}
            className="w-52 drop-shadow-[6px_6px_0_#1b171433] sm:w-56"
          />
          <Icon className="absolute top-[46%] left-1/2 size-14 -translate-1/2" strokeWidth={1.6} />
        </span>
      </div>
      <div className="flex flex-1 flex-col gap-2 p-5">
        <h2 className={cn("text-2xl", !to && "text-ink-soft")}>
          {to ? (
            <Link
              to={to}
              className="after:absolute after:inset-0 after:rounded-card group-hover:underline"
            >
              {title}
            </Link>
          ) : (
            title
          )}
        </h2>
        <p className="text-ink-soft">{text}</p>
        {to ? null : (
          <p className="mt-auto self-start rounded-full border border-line-strong px-3 py-1 text-sm font-semibold text-ink-soft">
            Coming Soon
          </p>
        )}
      </div>
    </li>
  );
}
