/** Drafts of the signed-in user's forms. */
import { useEffect, useEffectEvent, useState } from "react";
import { useUser } from "@/lib/session/session-provider";
import { addOpenDraft } from "./open-drafts";
import { readPicture, writePicture } from "./picture-drafts";
import { clearDraft, readDraft, writeDraft } from "./text-drafts";

/** Stores the form at each change. */
export function useSaveDraft(name: string, value: unknown): void {
  const owner = useUser().id;
  useEffect(() => {
    writeDraft(owner, name, value);
    return addOpenDraft({ owner, name, value });
  }, [owner, name, value]);
}

/** Stores a picture, a data URL, and finds it again for a form that has none. */
export function usePictureDraft(
  name: string,
  picture: string,
  onFound: (picture: string) => void,
): void {
  const owner = useUser().id;
  const found = useEffectEvent(onFound);
  const isEmpty = useEffectEvent(() => picture === "");

  useEffect(() => {
    let left = false;
    void readPicture(owner, name).then((stored) => {
      if (stored && !left && isEmpty()) found(stored);
    });
    return () => {
      left = true;
    };
  }, [owner, name]);

  useEffect(() => {
    if (!picture) return;
    void writePicture(owner, name, picture);
    return addOpenDraft({ owner, name, value: picture, isPicture: true });
  }, [owner, name, picture]);
}

const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Whether the session ended while a short form held something: it opens again. */
export function useIsKept(name: string): boolean {
  const owner = useUser().id;
  return useState(() => readDraft(owner, name, asText) !== undefined)[0];
}

/** The text of a short form, which is kept, and found once, only where the session ends while the form is open. */
export function useKeptText(name: string, initial = ""): [string, (text: string) => void] {
  const owner = useUser().id;
  const [text, setText] = useState(() => readDraft(owner, name, asText) ?? initial);
  useEffect(() => clearDraft(owner, name), [owner, name]);
  useEffect(
    () => (text === initial ? undefined : addOpenDraft({ owner, name, value: text })),
    [owner, name, text, initial],
  );
  return [text, setText];
}
