import { useState } from "react";
import { InkBar } from "@/components/print/ink-bar";
import { Logo } from "@/components/print/logo";
import { ShopLink } from "@/components/shop-link";
import { SUPPORT_EMAIL } from "@/shop/support";

const LINKS = [
  { to: "/privacy-policy", label: "Privacy Policy" },
  { to: "/terms-of-service", label: "Terms of Service" },
  { to: "/return-policy", label: "Return Policy" },
  { to: "/accessibility", label: "Accessibility" },
];

const link = "rounded-sm underline-offset-4 hover:text-ink hover:underline";

export function Footer() {
  const [year] = useState(() => new Date().getFullYear());
  return (
    <footer className="mt-20 border-t border-line bg-sunk">
      <div className="shell flex flex-col gap-6 py-10 sm:flex-row sm:items-end sm:justify-between">
        <div className="flex flex-col gap-3">
          <ShopLink to="/" aria-label="Teesmith, home" className="self-start rounded-md">
            <Logo />
          </ShopLink>
          <p className="max-w-sm text-sm text-ink-soft">
            Your idea, drawn, printed on one shirt and sent to your door. No minimum order.
          </p>
        </div>
        <nav
          aria-label="Footer"
          className="grid grid-cols-2 gap-x-6 gap-y-2.5 text-sm font-medium text-ink-soft sm:flex sm:flex-wrap sm:justify-end"
        >
          <ShopLink to="/faq" className={link}>
            Help Center
          </ShopLink>
          <a className={link} href={`mailto:${SUPPORT_EMAIL}`}>
            Contact Us
          </a>
          {LINKS.map((each) => (
            <ShopLink key={each.to} to={each.to} className={link}>
              {each.label}
            </ShopLink>
          ))}
        </nav>
      </div>
      <div className="shell flex items-center justify-between gap-4 pb-6">
        {/* A page that was prerendered last year is right again after its first render. */}
        <p className="slug" suppressHydrationWarning>
          © {year} Teesmith
        </p>
        <InkBar className="w-24" />
      </div>
    </footer>
  );
}
