/** A page as the build writes it. */
export interface Prerendered {
  path: string;
  description: string;
  html: string;
  /** Ends of the module names that the page's program will ask for next. */
  preload?: readonly string[];
  /** Where the build writes the page, unless it is the path's own `index.html`. */
  file?: string;
  /** A script's expression: does what the page needs first, and settles when the program may come. */
  early?: string;
}

export interface Prerendering {
  /** Brought to life by static.tsx. */
  pages: Prerendered[];
  /** Drawn again by the whole client. */
  screens: Prerendered[];
  /** What is in every other screen's place until the client draws it. */
  waiting: string;
}
