import { Elements } from "@stripe/react-stripe-js";
import { useMemo } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { LoadingScreen } from "@/components/loading-screen";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { isMissing } from "@/lib/errors";
import { useSession, useUser } from "@/lib/session/session-provider";
import { useDesign } from "@/shop/get-design";
import { useProductVariants } from "@/shop/get-product-variants";
import { colorGroups, groupOfVariant, sizesOfColor } from "@/shop/variants";
import { useAddresses } from "./api/list-addresses";
import { CheckoutForm } from "./checkout-form";
import { getStripe } from "./payment/stripe";

export function OrderPage() {
  const [search] = useSearchParams();
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
