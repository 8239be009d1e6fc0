import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { emptyScene, type LetteringLayer } from "@/shop/scene/scene";
import { DESIGN_ID } from "@/testing/backend";
import { useMaker } from "../state/use-maker";
import { LayerPanel } from "./layer-panel";

const words: LetteringLayer = {
  ...{ id: "w", kind: "lettering", text: "Hello", face: "anton", color: "#000000" },
  ...{ x: 0.5, y: 0.5, scale: 0.4, angle: 0 },
};

function Panel() {
  const { state, actions } = useMaker({ ...emptyScene(), front: [words] });
  const layer = state.scene.front[0];
  if (!layer) return null;
  return (
    <LayerPanel
      designId={DESIGN_ID}
      side="front"
      layers={state.scene.front}
      selected={layer}
      layer={layer}
      cloth="#ffffff"
      area={{ width: 4500, height: 5100 }}
      // its face has not come yet
      drawingOf={() => undefined}
      pictureOf={() => undefined}
      actions={actions}
      onRemove={() => {}}
      check={{} as never}
      flush={async () => undefined}
      isEmpty={false}
      onReturned={() => {}}
    />
  );
}

test("words that are typed before their face has come stay", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Panel />
    </QueryClientProvider>,
  );
  const field = screen.getByDisplayValue("Hello");
  fireEvent.change(field, { target: { value: "Hello, you" } });
  fireEvent.blur(field);
  await waitFor(() => expect(screen.getAllByText(/Hello, you/).length).toBeGreaterThan(1));
  expect(field).toHaveProperty("value", "Hello, you");
});
