/** Two packages without types of their own: what reads structured data of a page, and what judges it by Google's rules. */
declare module "@marbec/web-auto-extractor" {
  export default class WebAutoExtractor {
    constructor(options?: { addLocation?: boolean; embedSource?: string[] });
    parse(html: string): unknown;
  }
}

declare module "@adobe/structured-data-validator" {
  export default class Validator {
    validate(extracted: unknown): Promise<
      {
        issueMessage: string;
        severity: "ERROR" | "WARNING";
        fieldNames?: string[];
      }[]
    >;
  }
}
