/** The layout of every page: the project, the navigation, the role and the theme. */
import { useQuery } from "@tanstack/react-query";
import { Keyboard, Moon, Search, Sun } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { NavLink, Outlet, useLocation } from "react-router-dom";
import { call } from "../api/calls";
import { Button } from "../components/button";
import { cn } from "../components/classes";
import { RolePicker } from "../role";
import { PAGES } from "./pages";
import { Palette } from "./palette";
import { ShortcutList } from "./shortcut-list";
import { useShortcuts } from "./shortcuts";
import { toggleTheme, useTheme } from "./theme";

export function Frame() {
  const theme = useTheme();
  const project = useQuery({ queryKey: ["project"], queryFn: () => call("project") });
  const name = project.data?.name;
  const main = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<"palette" | "keys" | null>(null);
  useShortcuts(main, setShown);
  // In a narrow window the pages are one line that scrolls.
  const pages = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const section = pathname.split("/")[1];
  useEffect(() => {
    if (section)
      pages.current
        ?.querySelector(`[href="/${section}"]`)
        ?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [section]);
  useEffect(() => {
    if (name) document.title = `${name} · Studio`;
  }, [name]);
  return (
    <div className="grid h-dvh grid-cols-1 grid-rows-[auto_auto_1fr] md:grid-cols-[11rem_1fr] md:grid-rows-[auto_1fr]">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 md:col-span-2 border-b border-line px-4 py-2">
        <h1 className="text-lg">{name ?? "Studio"}</h1>
        <span className="text-sm text-ink-soft">{project.data?.api_url}</span>
        <div className="ml-auto flex items-center gap-3">
          <RolePicker />
          <Button
            variant="ghost"
            icon
            aria-label="Go to a page or table"
            aria-keyshortcuts="Control+K"
            onClick={() => setShown("palette")}
          >
            <Search aria-hidden="true" />
          </Button>
          <Button
            variant="ghost"
            icon
            aria-label="Keys"
            aria-keyshortcuts="?"
            onClick={() => setShown("keys")}
          >
            <Keyboard aria-hidden="true" />
          </Button>
          <Button
            variant="ghost"
            icon
            aria-label={theme === "dark" ? "Light colours" : "Dark colours"}
            onClick={toggleTheme}
          >
            {theme === "dark" ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
          </Button>
        </div>
      </header>
      <nav
        ref={pages}
        aria-label="Pages"
        className="overflow-x-auto border-line p-2 max-md:border-b md:border-r"
      >
        <ul className="flex gap-1 md:flex-col">
          {PAGES.map(({ path, title, icon: Icon }) => (
            <li key={path}>
              <NavLink
                to={path}
                className={({ isActive }) =>
                  cn(
                    "flex items-center gap-2.5 rounded-lg px-3 py-2 text-sm font-semibold",
                    isActive ? "bg-ink text-paper" : "text-ink hover:bg-sunk",
                  )
                }
              >
                <Icon aria-hidden="true" className="size-4" />
                {title}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <main ref={main} tabIndex={-1} className="min-h-0 min-w-0 overflow-auto outline-none">
        <Outlet />
      </main>
      {shown === "palette" ? <Palette onClose={() => setShown(null)} /> : null}
      {shown === "keys" ? <ShortcutList onClose={() => setShown(null)} /> : null}
    </div>
  );
}
