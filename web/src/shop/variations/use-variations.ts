/**
 * Pictures that are drawn side by side, each a job of its own: counted and kept as any picture is. The page's address names
 * them, so that a reload finds them again.
 */
import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { errorMessage } from "@/lib/errors/errors";
import { newUuid } from "@/lib/text/new-uuid";
import { type DesignJob, findJob, jobPicture } from "../designs/design-jobs";
import { responseOrJob } from "../designs/follow-job";
import { JobGoneError, resumePicture } from "./resume-picture";

/** As many as are compared with a glance, and as an address holds. */
export const MOST_VARIATIONS = 12;
/** At once: the shop draws five for one person. */
export const MOST_RUNNING = 3;

const FAILED = "This one could not be drawn. Please try again.";

export interface Drawn {
  /** Of its job. */
  id: string;
  /** Base64. */
  image: string;
  job: DesignJob;
}

export interface Variation {
  id: string;
  drawn: Drawn | undefined;
  /** Why there is none. */
  problem: string | undefined;
}

type Draw = (jobId: string, signal: AbortSignal) => Promise<string>;

export function useVariations(ids: readonly string[]) {
  const begun = useRef(new Map<string, Promise<string>>());
  const left = useRef<AbortController>(undefined);
  const results = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["drawing", id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        drawn(id, begun.current.get(id) ?? resumePicture(id, signal, () => {})),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
  });

  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);

  /** Begins one more; its id. */
  function begin(draw: Draw): string {
    const jobId = newUuid();
    const signal = left.current?.signal ?? new AbortController().signal;
    const picture = responseOrJob(draw(jobId, signal), { jobId, signal, fromJob: jobPicture });
    // Its query waits for it; the page may be left before.
    picture.catch(() => {});
    begun.current.set(jobId, picture);
    return jobId;
  }

  const variations = ids.flatMap((id, index): Variation[] => {
    const { data, error } = results[index] ?? {};
    // drawn more than a day ago, or refused before it began and then reloaded
    if (error instanceof JobGoneError) return [];
    return [{ id, drawn: data, problem: error ? errorMessage(error, FAILED) : undefined }];
  });
  return { variations, begin };
}

async function drawn(id: string, picture: Promise<string>): Promise<Drawn> {
  const image = await picture;
  const job = await findJob(id);
  if (!job) throw new JobGoneError();
  return { id, image, job };
}
