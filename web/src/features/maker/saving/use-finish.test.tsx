import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { productVariantsQuery, useProductVariants } from "@/shop/catalog/get-product-variants";
import { Backend, DESIGN_ID } from "@/testing/backend";
import { useFinish } from "./use-finish";

const seenFrom = (view: number | null) => ({
  body: [
    {
      id: "33333333-3333-4333-8333-333333333333",
      name: "Navy - L",
      color_hex: "#1F2A44",
      printify_variant_id: 11,
      is_available: true,
      back_view: view,
    },
  ],
});

test("the first shirt that is printed on its back is shown from there at once", async () => {
  const backend = new Backend()
    .on("GET /rest/v1/product_variants", seenFrom(null))
    .on("GET /rest/v1/design_jobs", { body: [] })
    .on("POST /functions/v1/finish-scene", { body: { success: true, warnings: [] } });
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => ({
      variants: useProductVariants(),
      finish: useFinish({ designId: DESIGN_ID, flush: async () => 3 }),
    }),
    { wrapper },
  );
  await waitFor(() => expect(result.current.variants.data?.[0]?.back_view).toBeNull());
  // with this product the shop learns which of the printer's cameras shows the back
  backend.on("GET /rest/v1/product_variants", seenFrom(92571));
  await act(() => result.current.finish.mutateAsync());
  // no waiting: the page that comes next reads it from here
  expect(client.getQueryData(productVariantsQuery.queryKey)?.[0]?.back_view).toBe(92571);
});
