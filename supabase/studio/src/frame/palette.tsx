/** A page or a table by a part of its name. */
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { call } from "../api/calls";
import { cn } from "../components/classes";
import { Dialog } from "../components/dialog";
import { Input } from "../components/field";
import { bySchema, tableAddress } from "../tables/tables-page";
import { PAGES } from "./pages";

const MOST = 50;

export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const list = useId();
  const [search, setSearch] = useState("");
  const [active, setActive] = useState(0);
  const tables = useQuery({ queryKey: ["tables"], queryFn: () => call("tables") });
  const current = useRef<HTMLDivElement>(null);
  const places = [
    ...PAGES.map(({ path, title, letter }) => ({ path, title, hint: `g ${letter}` })),
    ...bySchema(tables.data ?? []).map(({ schema, name, kind }) => ({
      path: tableAddress(schema, name),
      title: schema === "public" ? name : `${schema}.${name}`,
      hint: kind,
    })),
  ];
  const words = search.toLowerCase().split(/\s+/);
  const matches = places
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    .slice(0, MOST);
  useEffect(() => {
    current.current?.scrollIntoView({ block: "nearest" });
  });
  const open = (path: string | undefined) => {
    if (path === undefined) return;
    onClose();
    void navigate(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(Math.max(0, Math.min(matches.length - 1, active + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(matches[active]?.path);
    }
  };
  return (
    <Dialog
      title="Go to"
      description="Type a part of a name; the arrow keys choose, Enter goes there."
      className="mx-auto mt-[12dvh] max-w-lg"
      subtitle="sr-only"
      onClose={onClose}
    >
      <Input
        role="combobox"
        aria-label="Page or table"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={matches.length ? `${list}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder="A page or a table"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={list}
        role="listbox"
        aria-label="Pages and tables"
        tabIndex={-1}
        className="max-h-[50dvh] overflow-auto"
      >
        {matches.map(({ path, title, hint }, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <div
            key={path}
            id={`${list}-${at}`}
            ref={at === active ? current : undefined}
            role="option"
            aria-selected={at === active}
            tabIndex={-1}
            className={cn(
              "flex cursor-pointer items-center justify-between gap-3 rounded-md px-3 py-1.5 text-sm",
              at === active ? "bg-ink text-paper" : "hover:bg-sunk",
            )}
            onClick={() => open(path)}
          >
            <span className="truncate">{title}</span>
            <span className={cn("shrink-0", at === active ? "" : "text-ink-soft")}>{hint}</span>
          </div>
        ))}
      </div>
      {matches.length === 0 ? (
        <p className="text-sm text-ink-soft">Nothing has this name.</p>
      ) : null}
    </Dialog>
  );
}
