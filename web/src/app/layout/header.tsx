import { Menu } from "lucide-react";
import { useState } from "react";
import { Link, NavLink, useNavigate } from "react-router-dom";
import { InkBar } from "@/components/print/ink-bar";
import { Logo } from "@/components/print/logo";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogDescription,
  DialogTitle,
  DialogTrigger,
  SheetContent,
} from "@/components/ui/dialog";
import { cn } from "@/lib/cn";
import { useSession } from "@/lib/session/session-provider";
import { type NavigationLink, navigationLinks } from "./navigation";
import { ThemeToggle } from "./theme-toggle";

export function Header() {
  const { loading, user, signOut } = useSession();
  const navigate = useNavigate();
  const logOut = async () => {
    await signOut();
    await navigate("/");
  };
  const links = navigationLinks(user !== null);

  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper/92 backdrop-blur-sm">
      <InkBar className="h-[3px]" />
      <div className="shell flex h-16 items-center gap-6">
        <Link to="/" aria-label="Teesmith, home" className="rounded-md">
          <Logo />
        </Link>
        <nav aria-label="Main" className="hidden gap-1 md:flex">
          {links.map((link) => (
            <NavLink key={link.to} to={link.to} className={linkClass}>
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <ThemeToggle />
          <div className="hidden items-center gap-2 md:flex">
            {user ? (
              <Button variant="secondary" size="sm" onClick={logOut}>
                Log Out
              </Button>
            ) : (
              <SignInLinks hidden={loading} />
            )}
          </div>
          <MobileMenu links={links} signedIn={user !== null} onSignOut={logOut} />
        </div>
      </div>
    </header>
  );
}

function linkClass({ isActive }: { isActive: boolean }): string {
  return cn(
    "rounded-md px-3 py-2 text-[0.95rem] font-medium text-ink-soft hover:bg-sunk hover:text-ink",
    isActive &&
      "font-semibold text-ink underline decoration-tomato decoration-[3px] underline-offset-[7px]",
  );
}

/** Keeps its place while the session loads, so that nothing jumps. */
function SignInLinks({ hidden }: { hidden: boolean }) {
  return (
    <span className={cn("flex items-center gap-2", hidden && "invisible")}>
      <Button asChild variant="ghost" size="sm">
        <Link to="/auth">Log In</Link>
      </Button>
      <Button asChild size="sm">
        <Link to="/auth">Get Started</Link>
      </Button>
    </span>
  );
}

interface MobileMenuProps {
  links: NavigationLink[];
  signedIn: boolean;
  onSignOut: () => void;
}

function MobileMenu({ links, signedIn, onSignOut }: MobileMenuProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="ghost" size="icon" aria-label="Open the menu" className="md:hidden">
          <Menu aria-hidden="true" />
        </Button>
      </DialogTrigger>
      <SheetContent>
        <DialogTitle>Menu</DialogTitle>
        <DialogDescription className="sr-only">The shop's pages and your account</DialogDescription>
        <nav aria-label="Menu" className="mt-2 flex flex-col">
          {links.map((link) => (
            <NavLink
              key={link.to}
              to={link.to}
              onClick={close}
              className="border-b border-line py-3.5 font-display text-2xl font-bold tracking-tight"
            >
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="mt-6 flex flex-col gap-3">
          {signedIn ? (
            <Button
              variant="secondary"
              onClick={() => {
                close();
                onSignOut();
              }}
            >
              Log Out
            </Button>
          ) : (
            <>
              <Button asChild>
                <Link to="/auth" onClick={close}>
                  Get Started
                </Link>
              </Button>
              <Button asChild variant="secondary">
                <Link to="/auth" onClick={close}>
                  Log In
                </Link>
              </Button>
            </>
          )}
        </div>
      </SheetContent>
    </Dialog>
  );
}
