import { Elements } from "@stripe/react-stripe-js";
import { useMemo } from "react";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { LoadingScreen } from "@/components/loading-screen";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { isMissing } from "@/lib/errors/errors";
import { useSession, useUser } from "@/lib/session/session-provider";
import { getStripe } from "@/lib/stripe";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups, groupOfVariant, sizesOfColor } from "@/shop/catalog/variants";
import { useDesign } from "@/shop/designs/get-design";
import { useAddresses } from "./api/list-addresses";
import { CheckoutForm } from "./checkout-form";
import { PaidOrderPage } from "./order-complete";

export function OrderPage() {
  const [search, setSearch] = useSearchParams();
  const user = useUser();
  const { profile, profileLoading } = useSession();
  const designId = search.get("design");
  const design = useDesign(designId);
  const variants = useProductVariants();
  const addresses = useAddresses(user.id);
  const groups = useMemo(() => colorGroups(variants.data ?? []), [variants.data]);

  if (design.isLoadingError && isMissing(design.error))
    return <Stop title="Design Not Found" text="Please select a design to place an order." />;
  if (design.isLoadingError || variants.isLoadingError) {
    return (
      <LoadFailed
        error={design.error ?? variants.error}
        retrying={design.isFetching || variants.isFetching}
        onRetry={() => {
          if (design.isError) void design.refetch();
          if (variants.isError) void variants.refetch();
        }}
      />
    );
  }
  // A failed request for saved addresses does not block the order: the form can be filled in by hand.
  if (design.isPending || variants.isPending || addresses.isPending || profileLoading)
    return <LoadingScreen text="Loading sizes..." />;

  // Everyone may see a public design, but only its owner may order it; others import a copy first.
  if (design.data.user_id !== user.id) {
    return (
      <Stop
        title="Make It Yours First"
        text="This design belongs to somebody else. Take a copy of it into your collection, then order that one."
        to={`/design/${designId}`}
        label="See the Design"
      />
    );
  }

  const color = groupOfVariant(groups, search.get("color") ?? design.data.selected_colors?.[0]);
  if (!color)
    return (
      <Stop
        title="Color Not Selected"
        text="Please select a color from the mockup page."
        to={`/mockup?design=${designId}`}
        label="Choose a Color"
      />
    );

  const paid = search.get("paid");
  if (paid) return <PaidOrderPage orderId={paid} design={design.data} color={color.hex} />;

  // The preview shows when the printer has it, and leads back here.
  if (!design.data.printify_product_id)
    return <Navigate replace to={`/mockup?design=${designId}&color=${color.variant.id}`} />;

  function showPaid(orderId: string) {
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        next.set("paid", orderId);
        return next;
      },
      // The way back must not lead to the form that has just been paid.
      { replace: true },
    );
  }

  return (
    <Elements stripe={getStripe()}>
      <CheckoutForm
        key={`${designId} ${color.name}`}
        design={design.data}
        color={color}
        sizes={sizesOfColor(variants.data ?? [], color.name)}
        saved={addresses.data ?? []}
        username={profile?.username}
        email={user.email}
        onPaid={showPaid}
      />
    </Elements>
  );
}

interface StopProps {
  title: string;
  text: string;
  to?: string;
  label?: string;
}

function Stop({ title, text, to = "/dashboard", label = "Back to Dashboard" }: StopProps) {
  return (
    <MessagePage title={title} text={text}>
      <PageTitle>{title}</PageTitle>
      <Button asChild>
        <Link to={to}>{label}</Link>
      </Button>
    </MessagePage>
  );
}
