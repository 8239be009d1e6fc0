import { Menu, X } from "lucide-react";
import { type MouseEvent, useRef } from "react";
import { ShopLink, ShopNavLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";
import type { HeaderProps } from "./navigation";

/**
 * The drawer with the header's links, below 768 px. The browser's own modal dialog: it traps the focus, closes on
 * Escape and gives the focus back, and costs no code on the landing page.
 */
export function MobileMenu({ links, signedIn, onLogOut }: HeaderProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open the menu"
        className="md:hidden"
        onClick={() => dialog.current?.showModal()}
      >
        <Menu aria-hidden="true" />
      </Button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already; the click is for the backdrop. */}
      <dialog
        ref={dialog}
        aria-labelledby="menu-title"
        className="drawer"
        onClick={closeOnBackdrop}
      >
        <div className="flex min-h-full flex-col p-6">
          <div className="flex items-center justify-between">
            <p id="menu-title" className="font-display text-xl font-bold">
              Menu
            </p>
            <Button variant="ghost" size="icon" aria-label="Close the menu" onClick={close}>
              <X aria-hidden="true" />
            </Button>
          </div>
          <nav aria-label="Menu" className="mt-2 flex flex-col">
            {links.map((link) => (
              <ShopNavLink
                key={link.to}
                to={link.to}
                onClick={close}
                className="border-b border-line py-3.5 font-display text-2xl font-bold tracking-tight"
              >
                {link.label}
              </ShopNavLink>
            ))}
          </nav>
          <div className="mt-6 flex flex-col gap-3">
            {signedIn ? (
              <Button
                variant="secondary"
                onClick={() => {
                  close();
                  onLogOut();
                }}
              >
                Log Out
              </Button>
            ) : (
              <>
                <Button asChild>
                  <ShopLink to="/auth" onClick={close}>
                    Get Started
                  </ShopLink>
                </Button>
                <Button asChild variant="secondary">
                  <ShopLink to="/auth" onClick={close}>
                    Log In
                  </ShopLink>
                </Button>
              </>
            )}
          </div>
        </div>
      </dialog>
    </>
  );
}
