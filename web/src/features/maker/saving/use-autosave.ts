/** Autosave of one design's scene, with a copy in the browser until the shop has it. */
import { useEffect, useRef, useState } from "react";
import { clearDraft, readDraft, writeDraft } from "@/lib/drafts/text-drafts";
import { useUser } from "@/lib/session/session-provider";
import { parseScene, type Scene } from "@/shop/scene/scene";
import { getDraft } from "../api/get-draft";
import { isConflict, saveScene } from "../api/save-scene";
import type { Opening } from "./opening";
import { type SaveStatus, SceneSaver } from "./scene-saver";

const WRITE_MS = 50;
const nameOf = (designId: string) => `scene:${designId}`;

/** What a page that was left too soon had not stored yet, and the stored revision that it followed. */
export function readUnsaved(owner: string, designId: string) {
  return readDraft(owner, nameOf(designId), (value) => {
    const { scene, revision } = value as { scene: unknown; revision: unknown };
    const parsed = parseScene(scene);
    return parsed && typeof revision === "number" ? { scene: parsed, revision } : undefined;
  });
}

export function useAutosave(designId: string, opening: Opening, scene: Scene) {
  const owner = useUser().id;
  const [status, setStatus] = useState<SaveStatus>({ kind: "saved" });
  const saver = useRef<SceneSaver>(undefined);
  const keeper = useRef<() => void>(undefined);
  const writing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [first] = useState(opening);
  const seen = useRef(opening.scene);

  useEffect(() => {
    const begun = new SceneSaver(
      {
        save: (latest, revision) => saveScene({ designId, scene: latest, revision }),
        load: () => getDraft(designId),
        isConflict,
      },
      first.scene,
      first.stored,
      (next) => {
        // Each step of a drag says "saving" again: the page is not drawn once more for that.
        setStatus((shown) => (next.kind !== "failed" && next.kind === shown.kind ? shown : next));
        if (next.kind === "saved") clearDraft(owner, nameOf(designId));
      },
    );
    saver.current = begun;
    if (first.unsaved) begun.restore(first.unsaved === "stale");
    const keep = () => {
      clearTimeout(writing.current);
      writing.current = undefined;
      if (begun.unsaved) writeDraft(owner, nameOf(designId), begun.unsaved);
    };
    const hurry = () => {
      if (writing.current !== undefined) keep();
      begun.hurry();
    };
    keeper.current = keep;
    document.addEventListener("visibilitychange", hurry);
    window.addEventListener("pagehide", hurry);
    window.addEventListener("online", hurry);
    return () => {
      document.removeEventListener("visibilitychange", hurry);
      window.removeEventListener("pagehide", hurry);
      window.removeEventListener("online", hurry);
      hurry();
    };
  }, [owner, designId, first]);

  useEffect(() => {
    // undone to the very first one it is a change as well
    if (scene === seen.current) return;
    seen.current = scene;
    saver.current?.change(scene);
    // After the next paint, and once for the steps of a drag that come faster; leaving the page does not wait.
    writing.current ??= setTimeout(() => keeper.current?.(), WRITE_MS);
  }, [scene]);

  return {
    status,
    flush: async () => saver.current?.flush(),
    resolve: async (keep: "mine" | "theirs") => saver.current?.resolve(keep),
  };
}
