/** A static page as the build writes it. */
export interface Prerendered {
  path: string;
  description: string;
  html: string;
}
