/** A design's public address, and copying it with the toasts that go with that. */

import { notify, notifyInfo } from "@/lib/errors/notify";
import { copyText } from "@/lib/text/copy-text";
import { designPath } from "./link-key";

function designUrl(designId: string, linkKey: string | null = null): string {
  return location.origin + designPath(designId, linkKey);
}

/** Where the clipboard is out of reach the toast holds the link itself; the gallery's has a title of its own. */
export async function shareDesignLink(
  designId: string,
  place?: "gallery" | undefined,
  linkKey: string | null = null,
): Promise<void> {
  const url = designUrl(designId, linkKey);
  if (await copyText(url)) notify("Link copied!", "Design link has been copied to your clipboard.");
  else if (place === "gallery") notifyInfo("Share", url);
  else notifyInfo(`Share this design: ${url}`);
}
