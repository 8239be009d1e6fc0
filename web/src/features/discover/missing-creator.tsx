import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";

/** The page of an address under which nobody has public designs. */
export function MissingCreator() {
  return (
    <MessagePage
      title="Creator Not Found"
      text="Nobody with designs in our gallery has this address."
    >
      <PageTitle>Creator not found</PageTitle>
      <Button asChild>
        <ShopLink to="/discover">Back to Discover</ShopLink>
      </Button>
    </MessagePage>
  );
}
