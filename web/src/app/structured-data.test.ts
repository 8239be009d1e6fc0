import Validator from "@adobe/structured-data-validator";
import WebAutoExtractor from "@marbec/web-auto-extractor";
import { expect, test } from "vitest";
import type { StructuredData } from "./prerendered";
import { CREATOR_DATA, DESIGN_DATA, GALLERY_DATA, HELP_DATA, SHOP_DATA } from "./structured-data";

/** What the server puts into the marks. */
const VALUES: Record<string, string> = {
  __link_picture__: "https://shop.example/design/d/share.jpg",
  __design_id__: "22222222-2222-4222-8222-22222222222f",
  __short_name__: "A fox on a bicycle",
  __place__: "1",
};

async function issuesOf(data: StructuredData) {
  const text = JSON.stringify(data)
    .replaceAll("SITE_URL/", "https://shop.example/")
    .replace(/__[a-z_]+__/g, (mark) => VALUES[mark] ?? "Navy");
  const page = `<html><head><script type="application/ld+json">${text}</script></head></html>`;
  const extracted = new WebAutoExtractor({ addLocation: true, embedSource: [] }).parse(page);
  return new Validator().validate(extracted);
}

test.each([
  ["the shop", SHOP_DATA],
  ["the help page", HELP_DATA],
  ["a design", DESIGN_DATA],
  ["the gallery", GALLERY_DATA],
  ["a creator", CREATOR_DATA],
])("the structured data of %s has what search engines demand", async (_of, data) => {
  const issues = await issuesOf(data);
  expect(issues.filter(({ severity }) => severity === "ERROR")).toEqual([]);
});

test("an offer without a price would be found", async () => {
  const data: StructuredData = {
    "@context": "https://schema.org",
    "@type": "Product",
    name: "A fox",
    offers: { "@type": "Offer", priceCurrency: "USD" },
  };
  const issues = await issuesOf(data);
  expect(issues.filter(({ severity }) => severity === "ERROR")).not.toEqual([]);
});
