import { BackLink } from "@/components/back-link";
import { PageTitle } from "@/components/page-title";
import { Tee } from "@/components/print/tee";
import { Button } from "@/components/ui/button";
import { NatureGraphics, type TemplateArt, Typography, VintageBadge } from "./template-art";

interface Template {
  name: string;
  text: string;
  color: string;
  Art: TemplateArt;
}

const TEMPLATES: Template[] = [
  {
    name: "Minimalist Typography",
    text: "A few words, set large and tight. Nothing else.",
    color: "#fffdf9",
    Art: Typography,
  },
  {
    name: "Vintage Badges",
    text: "A round seal with your town, your team or your year.",
    color: "#1f2a44",
    Art: VintageBadge,
  },
  {
    name: "Nature Graphics",
    text: "Hills, sun and water in three flat inks.",
    color: "#cabfad",
    Art: NatureGraphics,
  },
];

export function DesignTemplatesPage() {
  return (
    <div className="shell py-10 sm:py-14">
      <PageTitle>Design Templates</PageTitle>
      <BackLink to="/design">Back to the ways to design</BackLink>
      <h1 className="display-2 mt-6">Design Templates</h1>
      <p className="mt-4 max-w-xl text-lg text-ink-soft">
        Starting points for a shirt in a hurry. Customizing them is still being set up; for now,
        describe what you like about one and we draw it for you.
      </p>
      <ul className="mt-10 grid gap-6 md:grid-cols-3">
        {TEMPLATES.map(({ name, text, color, Art }) => (
          <li
            key={name}
            className="flex flex-col overflow-hidden rounded-card border border-line bg-raised shadow-plate"
          >
            <div className="halftone grid place-items-center bg-sunk px-10 py-8">
              <Tee color={color} className="w-full max-w-72 drop-shadow-[6px_6px_0_var(--plate)]">
                <Art />
              </Tee>
            </div>
            <div className="flex flex-1 flex-col gap-2 border-t border-line p-5">
              <h2 className="text-xl">{name}</h2>
              <p className="text-ink-soft">{text}</p>
              <Button variant="secondary" className="mt-auto">
                Customize This Template
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-8 rounded-card border-[1.5px] border-dashed border-line-strong px-6 py-10 text-center">
        <h2 className="text-2xl">More Templates Coming Soon</h2>
        <p className="mt-2 text-ink-soft">The next plates are being cut.</p>
      </div>
    </div>
  );
}
