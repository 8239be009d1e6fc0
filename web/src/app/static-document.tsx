import type { ComponentType } from "react";
import { useEarlyInput } from "./early-input";
import { Frame } from "./layout/frame";
import { Header } from "./layout/header";
import { navigationLinks } from "./layout/navigation";

const VISITOR = {
  links: navigationLinks(false),
  signedIn: false,
  loading: false,
  onLogOut: () => {},
};

/** A page as an anonymous visitor sees it. The build and the browser render the very same. */
export function StaticDocument({ page: Page }: { page: ComponentType }) {
  useEarlyInput();
  return (
    <Frame header={<Header {...VISITOR} />}>
      <Page />
    </Frame>
  );
}
