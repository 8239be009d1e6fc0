import { Columns3, PenLine, Shuffle } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { notifyProblem } from "@/lib/errors/notify";
import { drawIdea, type Idea, type Words, wordsOf } from "@/shop/variations/idea";
import {
  type Drawn,
  MOST_RUNNING,
  MOST_VARIATIONS,
  useVariations,
} from "@/shop/variations/use-variations";
import { VariationShelf } from "./variation-shelf";
import { WordsForm } from "./words-form";

interface VariationsProps {
  /** The jobs that are compared, the first one's own included. */
  ids: readonly string[];
  onIds: (ids: string[]) => void;
  /** The picture that is looked at. */
  chosen: string | null;
  onChoose: (drawn: Drawn) => void;
  /** What the picture that is looked at was drawn from; rejects where nobody knows any more. */
  ideaOf: () => Promise<Idea>;
  /** Base64; undefined where it is gone. */
  photoOf: () => Promise<string | undefined>;
  /** The shirt's colour. */
  cloth: string;
  disabled?: boolean;
}

const FAILED = "Please try again in a moment.";

/** More pictures of an idea, side by side: nothing that was drawn is lost by looking at another. */
export function Variations(props: VariationsProps) {
  const { ids, onIds, chosen, onChoose, ideaOf, photoOf, cloth, disabled } = props;
  const { variations, begin } = useVariations(ids);
  const [changing, setChanging] = useState<{ idea: Idea; words: Words }>();
  const [asking, setAsking] = useState(false);
  const running = variations.filter((each) => !each.drawn && !each.problem).length;
  const kept = variations.filter((each) => !each.problem).length;
  const isFull = kept >= MOST_VARIATIONS;
  const isBusy = disabled || asking || running >= MOST_RUNNING || isFull;

  async function attempt(work: () => Promise<void>) {
    setAsking(true);
    try {
      await work();
    } catch (error) {
      notifyProblem("Not drawn", errorMessage(error, FAILED));
    } finally {
      setAsking(false);
    }
  }

  async function draw(idea: Idea, count: number, words?: Words) {
    const photo = idea.kind === "photo_picture" ? await photoOf() : "";
    if (photo === undefined) {
      notifyProblem("The photo is gone", "Start over and choose it again to draw more of it.");
      return;
    }
    const begun = Array.from({ length: count }, () =>
      begin((jobId, signal) => drawIdea(idea, { words, photo, jobId, signal })),
    );
    const before = variations.filter((each) => !each.problem).map((each) => each.id);
    onIds([...(before.length === 0 && chosen ? [chosen] : before), ...begun]);
  }

  return (
    <section aria-labelledby="variations" className="flex flex-col gap-4">
      <div>
        <h3 id="variations" className="text-xl">
          More of this idea
        </h3>
        <p className="max-w-prose text-ink-soft">
          Compare before you choose. Each picture counts as one design of yours; all stay here until
          you leave.
        </p>
      </div>
      <VariationShelf variations={variations} chosen={chosen} onChoose={onChoose} cloth={cloth} />
      <div className="flex flex-wrap gap-3">
        {kept < 2 ? (
          <Button
            variant="secondary"
            disabled={isBusy}
            onClick={() => void attempt(async () => draw(await ideaOf(), chosen ? 2 : 3))}
          >
            <Columns3 aria-hidden="true" />
            Three side by side
          </Button>
        ) : null}
        <Button
          variant="secondary"
          disabled={isBusy}
          onClick={() => void attempt(async () => draw(await ideaOf(), 1))}
        >
          <Shuffle aria-hidden="true" />
          Another like this
        </Button>
        <Button
          variant="secondary"
          disabled={isBusy}
          aria-expanded={changing !== undefined}
          onClick={() =>
            void attempt(async () => {
              const idea = await ideaOf();
              setChanging(changing ? undefined : { idea, words: wordsOf(idea) });
            })
          }
        >
          <PenLine aria-hidden="true" />
          Change the words
        </Button>
      </div>
      {isFull ? (
        <p className="text-sm text-ink-soft">
          {MOST_VARIATIONS} pictures lie here, which is as many as we keep at once.
        </p>
      ) : null}
      {changing ? (
        <WordsForm
          isPhoto={changing.idea.kind === "photo_picture"}
          words={changing.words}
          disabled={isBusy}
          onDraw={(words) => {
            setChanging(undefined);
            void attempt(() => draw(changing.idea, 1, words));
          }}
        />
      ) : null}
    </section>
  );
}
