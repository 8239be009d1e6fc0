import { Redo2, Undo2 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { ColorSwatches } from "@/components/color-swatches";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { notifyProblem } from "@/lib/errors/notify";
import type { ColorGroup } from "@/shop/catalog/variants";
import type { Design } from "@/shop/designs/get-design";
import type { Finding } from "./api/check-print";
import type { SizeAreas } from "./api/list-print-areas";
import { useCheck } from "./check/use-check";
import { Panels } from "./panels/panels";
import { SideTabs } from "./panels/side-tabs";
import { SizePanel } from "./panels/size-panel";
import { Announcer } from "./parts/announcer";
import { Finishing } from "./saving/finishing";
import type { Opening } from "./saving/opening";
import { Conflict, SaveNotice } from "./saving/save-notice";
import { useAutosave } from "./saving/use-autosave";
import { useFinish } from "./saving/use-finish";
import { useDrawings } from "./stage/drawings";
import { keepInSight } from "./stage/keep-in-sight";
import { type Picture, usePictures } from "./stage/pictures";
import { Stage } from "./stage/stage";
import { useMaker } from "./state/use-maker";
import { useShortcuts } from "./state/use-shortcuts";

interface MakerProps {
  design: Design;
  opening: Opening;
  color: ColorGroup;
  groups: ColorGroup[];
  areas: readonly SizeAreas[];
  /** The design's own first picture, where it has one. */
  original: Picture | null;
}

const USUAL_SIZE = "L";
const NONE: readonly Finding[] = [];

export function Maker({ design, opening, color, groups, areas, original }: MakerProps) {
  const { state, selected, isTravelling, actions } = useMaker(opening.scene);
  const { scene, side } = state;
  const saving = useAutosave(design.id, opening, scene);
  const finish = useFinish({ designId: design.id, flush: saving.flush });
  const check = useCheck({
    designId: design.id,
    color: color.variant.id,
    scene,
    actions,
    flush: saving.flush,
  });
  const navigate = useNavigate();
  const [, setSearch] = useSearchParams();
  const stage = useRef<SVGSVGElement>(null);
  const [size, setSize] = useState(USUAL_SIZE);
  const [resolving, setResolving] = useState(false);
  const isEmpty = scene.front.length + scene.back.length === 0;
  const shown = areas.find((each) => each.size === size) ?? areas[0];
  const pictureOf = usePictures(design.id, scene, original);
  const drawingOf = useDrawings(scene, pictureOf);
  const mockup = `/mockup?design=${design.id}&color=${color.variant.id}`;

  const remove = useCallback(
    (id: string) => {
      actions.remove(id);
      stage.current?.focus({ preventScroll: true });
    },
    [actions],
  );
  useShortcuts(actions);

  function wear(group: ColorGroup) {
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        next.set("color", group.variant.id);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }

  async function resolve(keep: "mine" | "theirs") {
    setResolving(true);
    try {
      const other = await saving.resolve(keep);
      if (other) actions.replace(other);
    } catch (error) {
      console.warn("The other draft could not be read:", error);
      notifyProblem("That did not work", "Please try again in a moment.");
    } finally {
      setResolving(false);
    }
  }

  if (finish.isPending) return <Finishing name={design.name} />;
  if (!shown) return null;
  return (
    <div className="shell py-6 sm:py-10">
      <PageTitle>{`Adjust ${design.name.slice(0, 50)}`}</PageTitle>
      <BackLink to={mockup}>Back to the preview</BackLink>
      <div className="mt-3 mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h1 className="display-3">Adjust your shirt</h1>
        <div className="flex flex-wrap items-center gap-2">
          <SaveNotice status={saving.status} />
          <Button
            variant="ghost"
            size="icon"
            aria-label="Undo"
            title="Undo (Ctrl+Z)"
            disabled={state.past.length === 0}
            onClick={actions.undo}
          >
            <Undo2 aria-hidden="true" />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label="Redo"
            title="Redo (Ctrl+Shift+Z)"
            disabled={state.future.length === 0}
            onClick={actions.redo}
          >
            <Redo2 aria-hidden="true" />
          </Button>
          <Button
            disabled={isEmpty || isTravelling}
            onClick={() =>
              finish.mutate(undefined, { onSuccess: (done) => done && void navigate(mockup) })
            }
          >
            Done
          </Button>
        </div>
      </div>
      {saving.status.kind === "conflict" ? (
        <Conflict busy={resolving} onResolve={(keep) => void resolve(keep)} />
      ) : null}
      {/* On a phone the shirt sticks to the page, not to a column of its own. */}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:items-start lg:gap-10">
        <section
          aria-label="The shirt"
          className="contents lg:sticky lg:top-24 lg:flex lg:flex-col lg:gap-3"
        >
          <SideTabs scene={scene} side={side} onTurn={actions.turn} />
          <div
            ref={keepInSight}
            className="max-lg:sticky max-lg:top-(--stage-top) max-lg:z-10 max-lg:-mx-2 max-lg:bg-paper max-lg:p-2"
          >
            <div className="mx-auto max-lg:max-w-(--stage-width)">
              <Stage
                ref={stage}
                side={side}
                cloth={color}
                size={shown.size}
                area={shown[side]}
                layers={scene[side]}
                selected={selected}
                drawingOf={drawingOf}
                actions={actions}
                onRemove={remove}
                findings={check.findings?.filter((finding) => finding.side === side) ?? NONE}
              />
            </div>
          </div>
          <SizePanel areas={areas} chosen={shown} side={side} onChoose={setSize} />
          <ColorSwatches groups={groups} selected={color.variant.id} onSelect={wear} />
        </section>
        <Panels
          designId={design.id}
          side={side}
          layers={scene[side]}
          selected={selected}
          cloth={color.hex}
          area={shown[side]}
          drawingOf={drawingOf}
          pictureOf={pictureOf}
          actions={actions}
          onRemove={remove}
          check={check}
          flush={saving.flush}
          isEmpty={isEmpty}
          onReturned={() => void resolve("theirs")}
        />
      </div>
      <Announcer layer={selected} layers={scene[side]} />
    </div>
  );
}
