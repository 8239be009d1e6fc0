import { Link, Navigate } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { LoadingScreen } from "@/components/loading-screen";
import { MessagePage } from "@/components/message-page";
import { OrderComplete } from "@/components/order-complete/order-complete";
import { PageTitle } from "@/components/page-title";
import { ShirtStandIn } from "@/components/shirt-stand-in";
import { Button } from "@/components/ui/button";
import { imageSource } from "@/lib/browser/image-source";
import { isMissing, ServiceError } from "@/lib/errors/errors";
import { useUser } from "@/lib/session/session-provider";
import type { Design } from "@/shop/designs/get-design";
import { mockupUrl } from "@/shop/designs/mockup-url";
import { findCountry } from "@/shop/orders/countries";
import { labelLines } from "./address/address";
import { useConfirmation } from "./api/get-confirmation";

interface PaidOrderPageProps {
  orderId: string;
  design: Design;
  /** Of the shirt, as #RRGGBB. */
  color: string;
}

/** The confirmation of a paid order, which a reload and the way back find again. */
export function PaidOrderPage({ orderId, design, color }: PaidOrderPageProps) {
  const user = useUser();
  const confirmation = useConfirmation(orderId, user.id);
  if (confirmation.isPending) return <LoadingScreen text="Loading your order..." />;
  if (confirmation.isLoadingError) {
    // Of an order that is not paid, or cancelled, its own page says what has become of it.
    if (isMissing(confirmation.error) || isNotConfirmed(confirmation.error))
      return <Navigate to={`/order-details/${orderId}`} replace />;
    return (
      <LoadFailed
        error={confirmation.error}
        retrying={confirmation.isFetching}
        onRetry={() => void confirmation.refetch()}
      />
    );
  }
  const { lines, total, address } = confirmation.data;
  const first = lines[0];
  if (!first) {
    return (
      <MessagePage
        title="Order Processing Error"
        text="There was an issue processing your order. Please contact support."
      >
        <Button asChild>
          <Link to="/dashboard">Back to Dashboard</Link>
        </Button>
      </MessagePage>
    );
  }
  const mockup = design.printify_product_id
    ? mockupUrl({
        productId: design.printify_product_id,
        printifyVariantId: first.printifyVariantId,
      })
    : undefined;
  return (
    <>
      <PageTitle>Order complete</PageTitle>
      <OrderComplete
        order={{
          orderId,
          designName: design.name,
          pictures: [mockup, imageSource(design.image_data), imageSource(design.thumbnail_data)],
          standIn: mockup ? (
            <ShirtStandIn pictures={[design.image_data, design.thumbnail_data]} color={color} />
          ) : undefined,
          lines,
          total,
          country: address.country,
          email: address.email,
          addressLines: labelLines(address, findCountry(address.country)?.name ?? address.country),
        }}
      />
    </>
  );
}

function isNotConfirmed(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "not_confirmed";
}
