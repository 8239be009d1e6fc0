import { Tee } from "@/components/print/tee";
import { isDark } from "@/shop/catalog/color";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups } from "@/shop/catalog/variants";

interface PreviewColumnProps {
  colorId: string;
  caption: string;
  words: string;
  photo?: string;
}

/** What the order will look like so far: the chosen shirt, and where the print goes. Wide screens only. */
export function PreviewColumn({ colorId, caption, words, photo }: PreviewColumnProps) {
  const variants = useProductVariants();
  const group = colorGroups(variants.data ?? []).find((each) => each.variant.id === colorId);
  const color = group?.hex ?? "#fffdf9";
  const pencil = isDark(color) ? "#ffffff" : "#1b1714";
  const lettering = words.trim();
  return (
    <aside aria-hidden="true" className="hidden lg:block">
      <div className="sticky top-28 flex flex-col gap-4">
        <div className="crop-marks halftone rounded-sm bg-sunk p-8 [--dot:var(--line)]">
          <Tee color={color} className="w-full drop-shadow-[7px_7px_0_var(--plate)]">
            {photo ? (
              <image
                href={photo}
                x="8"
                y="0"
                width="144"
                height="150"
                preserveAspectRatio="xMidYMid meet"
              />
            ) : (
              <rect
                x="8"
                y="0"
                width="144"
                height="150"
                fill="none"
                stroke={pencil}
                strokeOpacity="0.45"
                strokeDasharray="5 6"
                rx="4"
              />
            )}
            <text
              x="80"
              y={photo || lettering ? 174 : 80}
              fill={pencil}
              fillOpacity={lettering ? 0.9 : 0.6}
              textAnchor="middle"
              className="font-display"
              fontWeight="800"
              fontSize={lettering ? Math.min(22, 250 / Math.max(8, lettering.length)) : 13}
            >
              {lettering || (photo ? "" : "your design")}
            </text>
          </Tee>
        </div>
        <p className="slug flex justify-between pt-3">
          <span className="first-letter:uppercase">{caption}</span>
          <span>{group ? `${group.name} shirt` : "No color yet"}</span>
        </p>
      </div>
    </aside>
  );
}
