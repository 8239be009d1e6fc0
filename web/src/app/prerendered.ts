import type { Graph, Thing, WithContext } from "schema-dts";

export type StructuredData = Graph | WithContext<Thing>;

/** A page as the build writes it. */
export interface Prerendered {
  path: string;
  description: string;
  html: string;
  /** The page has an address of its own, which is this path. */
  canonical?: boolean;
  data?: StructuredData | undefined;
  /** Of link previews, in place of the shop's. */
  picture?: { address: string; alt: string };
  /** Search engines leave the page out. */
  hidden?: boolean;
  /** Further `meta` tags, by name. */
  metas?: Record<string, string>;
  /** Ends of the names of the modules that the page's script imports next. */
  preload?: readonly string[];
  /** Where the build writes the page, unless it is the path's own `index.html`. */
  file?: string;
  /** A script's expression: sends the page's first requests and settles when the app's script may load. */
  early?: string;
}

export interface Prerendering {
  /** Brought to life by static.tsx. */
  pages: Prerendered[];
  /** For a browser without a network: no program brings it to life. */
  offline: Prerendered;
  /** Drawn again by the whole client. */
  screens: Prerendered[];
  /** The patterns of all addresses that have a page. */
  paths: string[];
  /** The placeholder of every other screen until the client renders it. */
  waiting: string;
}
