/**
 * The forms that are open in this tab. Signing out in another tab forgets every draft; what this tab still shows is its
 * owner's, and is stored anew.
 */
import { forgetPictures, writePicture } from "./picture-drafts";
import { forgetTexts, writeDraft } from "./text-drafts";

export interface OpenDraft {
  owner: string;
  name: string;
  value: unknown;
  /** Of a picture `value` is the data URL. */
  isPicture?: boolean;
}

const openDrafts = new Set<OpenDraft>();

/** Returns how to take it off the list again. */
export function addOpenDraft(draft: OpenDraft): () => void {
  openDrafts.add(draft);
  return () => openDrafts.delete(draft);
}

export function storeOpenDrafts(): void {
  for (const { owner, name, value, isPicture } of openDrafts) {
    if (isPicture) void writePicture(owner, name, String(value));
    else writeDraft(owner, name, value);
  }
}

/** Everybody's, but `keep`'s of the last seven days. */
export async function forgetDrafts(keep?: string): Promise<void> {
  forgetTexts(keep);
  await forgetPictures(keep);
}
