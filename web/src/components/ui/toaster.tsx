import { Toaster as Sonner } from "sonner";
import { useTheme } from "@/lib/browser/theme";
import { useMediaQuery } from "@/lib/browser/use-media-query";

/* Sonner reads its colours from these variables; problems get a tomato edge and stay longer. */
const surface = {
  "--normal-bg": "var(--raised)",
  "--normal-text": "var(--ink)",
  "--normal-border": "var(--line-strong)",
  "--border-radius": "10px",
} as React.CSSProperties;

/** At the foot of the screen: above are a page's name and its buttons. */
export function Toaster() {
  const wide = useMediaQuery("(min-width: 768px)");
  return (
    <Sonner
      theme={useTheme()}
      position={wide ? "bottom-right" : "bottom-center"}
      offset={24}
      mobileOffset={16}
      closeButton
      style={surface}
      toastOptions={{
        className: "!font-sans !shadow-plate",
        classNames: {
          title: "!font-semibold",
          description: "!text-ink-soft wrap-anywhere",
          error: "!border-l-4 !border-l-tomato",
          success: "!border-l-4 !border-l-mint",
        },
      }}
    />
  );
}
