import { expect, test } from "vitest";
import { likeCountAfter, withLike, withLikeCount } from "./likes";

test("a count never falls below nothing", () => {
  expect(likeCountAfter(0, false)).toBe(0);
  expect(likeCountAfter(1, false)).toBe(0);
  expect(likeCountAfter(0, true)).toBe(1);
});

test("liking and unliking leave other likes alone", () => {
  const likes = withLike(new Set(["a"]), "b", true);
  expect([...likes]).toEqual(["a", "b"]);
  expect([...withLike(likes, "a", false)]).toEqual(["b"]);
});

test("only the liked design's count changes", () => {
  const item = (id: string) => ({
    id,
    name: id,
    thumbnail: null,
    productId: null,
    colorId: undefined,
    publishedAt: "",
    creatorId: "",
    creatorName: "",
    likeCount: 2,
  });
  const gallery = {
    pages: [{ items: [item("a"), item("b")] }],
    pageParams: [undefined],
  };
  const counts = withLikeCount(gallery, "b", true)?.pages[0]?.items.map((each) => each.likeCount);
  expect(counts).toEqual([2, 3]);
});
