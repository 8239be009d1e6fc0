/** The print check of the stored draft, and what one click does about each finding. */
import { useState } from "react";
import { errorMessage, ServiceError } from "@/lib/errors/errors";
import { notifyProblem } from "@/lib/errors/notify";
import type { Scene } from "@/shop/scene/scene";
import { type Finding, type Proof, useCheckPrint } from "../api/check-print";
import { useMendPicture } from "../api/mend-picture";
import { findLayer } from "../state/edits";
import type { MakerActions } from "../state/use-maker";

interface Checked {
  designId: string;
  /** A variant of the shirt's colour. */
  color: string;
  scene: Scene;
  actions: MakerActions;
  /** Stores the draft; its revision. */
  flush: () => Promise<number | undefined>;
}

interface Result {
  scene: Scene;
  color: string;
  findings: Finding[];
  proofs: Proof[];
}

const UNSAVED = "Your last changes have not reached the shop. Please try again.";

export function useCheck({ designId, color, scene, actions, flush }: Checked) {
  const checking = useCheckPrint();
  const mending = useMendPicture();
  const [result, setResult] = useState<Result>();
  const isCurrent = result?.scene === scene && result.color === color;

  async function attempt(work: () => Promise<void>, title: string) {
    try {
      await work();
    } catch (error) {
      notifyProblem(title, errorMessage(error, "Please try again in a moment."));
    }
  }

  function check() {
    return attempt(async () => {
      if ((await flush()) === undefined) throw new ServiceError(UNSAVED, "not_saved", undefined);
      setResult({ scene, color, ...(await checking.mutateAsync({ designId, color })) });
    }, "Not checked");
  }

  function mend({ layer: id, mend: way, place }: Finding) {
    const layer = findLayer(scene, id);
    if (!layer || !way) return;
    if (way === "shrink") {
      if (place) actions.change(layer.id, place);
      return;
    }
    void attempt(async () => {
      const revision = await flush();
      if (revision === undefined) throw new ServiceError(UNSAVED, "not_saved", undefined);
      const source = await mending.mutateAsync({ designId, revision, layer: layer.id, mend: way });
      if (layer.kind === "picture") actions.swap(layer.id, layer.source, source);
    }, "Not mended");
  }

  return {
    /** Undefined until it was asked for, and once something has changed since. */
    findings: isCurrent ? result.findings : undefined,
    proofs: isCurrent ? result.proofs : [],
    wasChecked: result !== undefined,
    isChecking: checking.isPending,
    mending: mending.isPending ? mending.variables : undefined,
    check,
    mend,
  };
}

export type Check = ReturnType<typeof useCheck>;
