import { Toaster as Sonner } from "sonner";
import { useTheme } from "@/lib/theme";

/* Sonner reads its colours from these variables; problems get a tomato edge and stay longer. */
const surface = {
  "--normal-bg": "var(--raised)",
  "--normal-text": "var(--ink)",
  "--normal-border": "var(--line-strong)",
  "--border-radius": "10px",
} as React.CSSProperties;

export function Toaster() {
  return (
    <Sonner
      theme={useTheme()}
      position="bottom-right"
      closeButton
      style={surface}
      toastOptions={{
        className: "!font-sans !shadow-plate",
        classNames: {
          title: "!font-semibold",
          description: "!text-ink-soft",
          error: "!border-l-4 !border-l-tomato",
          success: "!border-l-4 !border-l-mint",
        },
      }}
    />
  );
}
