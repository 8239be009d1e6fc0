/** Copies a design's public address, with the toasts that go with it. */
import { copyText } from "@/lib/copy-text";
import { notify, notifyPlain } from "@/lib/notify";

export async function shareDesignLink(designId: string): Promise<void> {
  const url = `${location.origin}/design/${designId}`;
  if (await copyText(url)) notify("Link copied!", "Design link has been copied to your clipboard.");
  else notifyPlain(`Share this design: ${url}`);
}
