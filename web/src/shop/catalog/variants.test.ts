import { expect, test } from "vitest";
import { isDark } from "./color";
import {
  colorGroups,
  colorName,
  compareSizes,
  groupOfVariant,
  sizeName,
  sizesOfColor,
  type Variant,
} from "./variants";

let count = 0;
function variant(name: string, hex = "#112233"): Variant {
  count += 1;
  return {
    id: `id-${name}`,
    name,
    color_hex: hex,
    printify_variant_id: count,
    is_available: true,
  };
}

test("a name is its colour, then its size", () => {
  expect([colorName("Black - XL"), sizeName("Black - XL")]).toEqual(["Black", "XL"]);
  expect([colorName("Heather - Navy - M"), sizeName("Heather - Navy - M")]).toEqual([
    "Heather - Navy",
    "M",
  ]);
  expect([colorName("Black"), sizeName("Black")]).toEqual(["Black", "Black"]);
});

test("sizes run from XS to 4XL, and unknown ones come last by name", () => {
  const sizes = ["Youth", "4XL", "M", "XS", "One size", "2XL", "S", "XL", "3XL", "L"];
  expect(sizes.toSorted(compareSizes)).toEqual([
    "XS",
    "S",
    "M",
    "L",
    "XL",
    "2XL",
    "3XL",
    "4XL",
    "One size",
    "Youth",
  ]);
});

test("a colour takes its first variant, and any of its variants leads to it", () => {
  const variants = [
    variant("Black - 2XL", "#000000"),
    variant("Black - M", "#000000"),
    variant("Red - M", "#ff0000"),
  ];
  const groups = colorGroups(variants);
  expect(groups.map((group) => [group.name, group.hex, group.variant.name])).toEqual([
    ["Black", "#000000", "Black - 2XL"],
    ["Red", "#ff0000", "Red - M"],
  ]);
  expect(groupOfVariant(groups, "id-Black - M")?.name).toBe("Black");
  expect(groupOfVariant(groups, "gone")).toBeUndefined();
  expect(groupOfVariant(groups, null)).toBeUndefined();
});

test("a variant that the printer withdrew is not offered, but still leads to its colour", () => {
  const withdrawn = { ...variant("Black - 2XL", "#000000"), is_available: false };
  const variants = [withdrawn, variant("Black - M", "#000000")];
  const gone = { ...variant("Red - M", "#ff0000"), is_available: false };
  const groups = colorGroups([...variants, gone]);
  expect(groups.map((group) => [group.name, group.variant.name])).toEqual([["Black", "Black - M"]]);
  expect(groupOfVariant(groups, withdrawn.id)?.name).toBe("Black");
  expect(groupOfVariant(groups, gone.id)).toBeUndefined();
  expect(sizesOfColor(variants, "Black").map((each) => each.name)).toEqual(["Black - M"]);
});

test("the sizes of a colour are of exactly that colour", () => {
  const variants = [variant("Black - XL"), variant("Black Heather - S"), variant("Black - S")];
  expect(sizesOfColor(variants, "Black").map((each) => each.name)).toEqual([
    "Black - S",
    "Black - XL",
  ]);
});

test("white shows on dark shirts, ink on light ones", () => {
  expect(isDark("#1A1A1A")).toBe(true);
  expect(isDark("#FFFFFF")).toBe(false);
  expect(isDark("#A3B3CB")).toBe(false);
});
