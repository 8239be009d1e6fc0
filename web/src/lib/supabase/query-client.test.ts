import { QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { makeQueryClient } from "./query-client";

/** A list whose reads are answered by hand, each with its number. */
function slowList(key: string) {
  const client = makeQueryClient();
  const answers: (() => void)[] = [];
  const options = {
    queryKey: ["list", key],
    queryFn: () => {
      const read = answers.length + 1;
      return new Promise<number>((resolve) => answers.push(() => resolve(read)));
    },
  };
  return { client, answers, options };
}

test("what changes during the first read is read once more", async () => {
  const { client, answers, options } = slowList("shown");
  const observer = new QueryObserver(client, options);
  const leave = observer.subscribe(() => {});
  const done = client.invalidateQueries({ queryKey: ["list"] });
  answers[0]?.();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await done;
  expect(observer.getCurrentResult().data).toBe(2);
  leave();
});

test("a first read that nobody shows is read again once somebody does", async () => {
  const { client, answers, options } = slowList("not shown");
  const read = client.prefetchQuery(options);
  const done = client.invalidateQueries({ queryKey: ["list"] });
  answers[0]?.();
  await read;
  await done;
  expect(answers).toHaveLength(1);
  expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true);
});

test("a change reads nothing else", async () => {
  const { client, answers, options } = slowList("another");
  const leave = new QueryObserver(client, options).subscribe(() => {});
  const done = client.invalidateQueries({ queryKey: ["elsewhere"] });
  answers[0]?.();
  await done;
  await vi.waitFor(() => expect(client.getQueryData(options.queryKey)).toBe(1));
  expect(answers).toHaveLength(1);
  leave();
});
