import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { readAnew } from "./read-anew";

test("a first read that began before the change is not taken for the answer", async () => {
  const client = new QueryClient();
  const answers: ((names: string[]) => void)[] = [];
  const observer = new QueryObserver<string[]>(client, {
    queryKey: ["files", "papers"],
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  });
  const stop = observer.subscribe(() => {});
  const read = readAnew(client, ["files"]);
  answers[0]?.([]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(["note.txt"]);
  await read;
  expect(observer.getCurrentResult().data).toEqual(["note.txt"]);
  stop();
});
