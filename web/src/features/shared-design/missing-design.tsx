import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { ShopLink } from "@/components/shop-link";
import { Button } from "@/components/ui/button";

/** The page of a link that leads to no design. */
export function MissingDesign() {
  return (
    <MessagePage
      title="Design Not Found"
      text="This design might have been removed or made private."
    >
      <PageTitle>Design not found</PageTitle>
      <Button asChild>
        <ShopLink to="/discover">Back to Discover</ShopLink>
      </Button>
    </MessagePage>
  );
}

/** The page of a design that the shop took down. */
export function RemovedDesign() {
  return (
    <MessagePage
      title="Design Taken Down"
      text="We took this design off the press. It is no longer shown or printed here."
    >
      <PageTitle>Design taken down</PageTitle>
      <Button asChild>
        <ShopLink to="/discover">Back to Discover</ShopLink>
      </Button>
    </MessagePage>
  );
}
