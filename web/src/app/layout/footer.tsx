import { Link } from "react-router-dom";
import { InkBar } from "@/components/print/ink-bar";
import { Logo } from "@/components/print/logo";

const YEAR = new Date().getFullYear();
const SUPPORT_EMAIL = "support@teesmith.example";

const link = "rounded-sm underline-offset-4 hover:text-ink hover:underline";

export function Footer() {
  return (
    <footer className="mt-20 border-t border-line bg-sunk">
      <div className="shell flex flex-col gap-6 py-10 sm:flex-row sm:items-end sm:justify-between">
        <div className="flex flex-col gap-3">
          <Link to="/" aria-label="Teesmith, home" className="self-start rounded-md">
            <Logo />
          </Link>
          <p className="max-w-sm text-sm text-ink-soft">
            Your idea, drawn, printed on one shirt and sent to your door. No minimum order.
          </p>
        </div>
        <nav
          aria-label="Footer"
          className="flex flex-wrap gap-x-6 gap-y-2 text-sm font-medium text-ink-soft"
        >
          <a className={link} href={`mailto:${SUPPORT_EMAIL}`}>
            Contact Us
          </a>
        </nav>
      </div>
      <div className="shell flex items-center justify-between gap-4 pb-6">
        <p className="slug">© {YEAR} Teesmith</p>
        <InkBar className="w-24" />
      </div>
    </footer>
  );
}
