/**
 * Stores the scene as it is worked on: a moment after the last change, one request at a time, again until the shop has it. A draft
 * that another tab has stored meanwhile is never written over unasked.
 */
import { ConnectionError, errorMessage } from "@/lib/errors/errors";
import type { Scene } from "@/shop/scene/scene";
import { sameScene } from "../state/same-scene";

export type SaveStatus =
  | { kind: "saved" | "saving" | "offline" | "conflict" }
  | { kind: "failed"; message: string };

export interface Stored {
  /** Null: nothing is stored yet. */
  scene: Scene | null;
  revision: number;
}

interface Shop {
  /** The new revision. */
  save: (scene: Scene, revision: number) => Promise<number>;
  load: () => Promise<Stored>;
  isConflict: (error: unknown) => boolean;
}

const QUIET_MS = 700;
const AGAIN_MS = 5000;

export class SceneSaver {
  private stored: Scene | null;
  private revision: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly shop: Shop,
    private latest: Scene,
    { scene, revision }: Stored,
    private readonly tell: (status: SaveStatus) => void,
  ) {
    this.stored = scene;
    this.revision = revision;
  }

  /** What the shop does not have yet, and the stored revision that it follows. */
  get unsaved(): { scene: Scene; revision: number } | undefined {
    return this.latest === this.stored
      ? undefined
      : { scene: this.latest, revision: this.revision };
  }

  change(scene: Scene): void {
    if (scene === this.latest) return;
    this.latest = scene;
    if (this.stopped) return;
    this.tell({ kind: "saving" });
    this.wait(QUIET_MS);
  }

  /** Stores at once what waits to be stored. */
  hurry(): void {
    if (this.timer !== undefined) void this.flush();
  }

  /** Stores at once. The stored revision, or undefined where it could not be stored. */
  async flush(): Promise<number | undefined> {
    this.wait(undefined);
    while (this.sending) await this.sending;
    if (!this.stopped && this.unsaved) await this.send();
    return this.unsaved || this.stopped ? undefined : this.revision;
  }

  /** Goes on after a conflict. The scene of the other tab, or null where one's own is stored over it. */
  async resolve(keep: "mine" | "theirs"): Promise<Scene | null> {
    const { scene, revision } = await this.shop.load();
    this.revision = revision;
    this.stopped = false;
    if (keep === "mine" || !scene) {
      await this.flush();
      return null;
    }
    this.latest = scene;
    this.stored = scene;
    this.tell({ kind: "saved" });
    return scene;
  }

  /** The scene is one that was not stored before the page was left; `isStale` where the shop has a newer one. */
  restore(isStale: boolean): void {
    if (isStale) this.stop();
    else this.wait(0);
  }

  private wait(ms: number | undefined): void {
    clearTimeout(this.timer);
    this.timer = ms === undefined ? undefined : setTimeout(() => void this.flush(), ms);
  }

  private stop(): void {
    this.stopped = true;
    this.tell({ kind: "conflict" });
  }

  private async send(): Promise<void> {
    this.tell({ kind: "saving" });
    this.sending = this.attempt(this.latest).finally(() => {
      this.sending = undefined;
    });
    await this.sending;
  }

  private async attempt(scene: Scene): Promise<void> {
    try {
      this.revision = await this.shop.save(scene, this.revision);
      this.stored = scene;
    } catch (error) {
      if (!(await this.arrived(scene, error))) return;
    }
    if (!this.unsaved) this.tell({ kind: "saved" });
  }

  /** Whether the shop has this scene in spite of the error: it was stored, and the answer was lost. */
  private async arrived(scene: Scene, error: unknown): Promise<boolean> {
    if (!this.shop.isConflict(error)) {
      this.fail(error);
      return false;
    }
    try {
      const stored = await this.shop.load();
      if (stored.scene && sameScene(stored.scene, scene)) {
        this.revision = stored.revision;
        this.stored = scene;
        return true;
      }
      this.stop();
    } catch (cause) {
      this.fail(cause);
    }
    return false;
  }

  private fail(error: unknown): void {
    console.warn("The scene could not be stored:", error);
    this.tell(
      error instanceof ConnectionError
        ? { kind: "offline" }
        : {
            kind: "failed",
            message: errorMessage(error, "Your changes could not be saved just now."),
          },
    );
    this.wait(AGAIN_MS);
  }
}
