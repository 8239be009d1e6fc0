import { InkBar } from "@/components/print/ink-bar";
import { Logo } from "@/components/print/logo";
import { ShopLink, ShopNavLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/text/cn";
import { MobileMenu } from "./mobile-menu";
import type { HeaderProps } from "./navigation";
import { ThemeToggle } from "./theme-toggle";

export function Header(props: HeaderProps) {
  const { links, signedIn, loading, onLogOut } = props;
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper/92 backdrop-blur-sm">
      <InkBar className="h-[3px]" />
      <div className="shell flex h-16 items-center gap-6">
        <ShopLink to="/" aria-label="Teesmith, home" className="rounded-md">
          <Logo />
        </ShopLink>
        <nav aria-label="Main" className="hidden gap-1 md:flex">
          {links.map((link) => (
            <ShopNavLink key={link.to} to={link.to} className={LINK}>
              {link.label}
            </ShopNavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <ThemeToggle />
          <div className="hidden items-center gap-2 md:flex">
            {signedIn ? (
              <Button variant="secondary" size="sm" onClick={onLogOut}>
                Log Out
              </Button>
            ) : (
              <SignInLinks hidden={loading} />
            )}
          </div>
          <MobileMenu {...props} />
        </div>
      </div>
    </header>
  );
}

const LINK =
  "rounded-md px-3 py-2 text-[0.95rem] font-medium text-ink-soft hover:bg-sunk hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-tomato aria-[current=page]:decoration-[3px] aria-[current=page]:underline-offset-[7px]";

/** Reserves its place while the session loads, so that nothing jumps. */
function SignInLinks({ hidden }: { hidden: boolean }) {
  return (
    <span className={cn("flex items-center gap-2", hidden && "invisible")}>
      <Button asChild variant="ghost" size="sm">
        <ShopLink to="/auth">Log In</ShopLink>
      </Button>
      <Button asChild size="sm">
        <ShopLink to="/auth">Get Started</ShopLink>
      </Button>
    </span>
  );
}
