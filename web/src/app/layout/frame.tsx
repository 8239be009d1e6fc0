import type { ReactNode } from "react";
import { Footer } from "./footer";

/** The layout of every page: skip link, header, page, footer. */
export function Frame({ header, children }: { header: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded-md focus:bg-ink focus:px-4 focus:py-2 focus:text-paper"
      >
        Skip to the page
      </a>
      {header}
      {/* A screen high at least: the footer stays below what is still loading, so that it never jumps. */}
      <main id="main" tabIndex={-1} className="min-h-dvh flex-1 outline-none">
        {children}
      </main>
      <Footer />
    </div>
  );
}
