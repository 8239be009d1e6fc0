import { expect, test } from "vitest";
import { toLatest } from "./list-latest-designs";

test("only designs with a picture are put in the window", () => {
  const rows = [
    { designs: { id: "1", name: "Fox", thumbnail_data: "/9j/abc" } },
    { designs: { id: "2", name: "Not drawn yet", thumbnail_data: null } },
    { designs: null },
  ];
  expect(toLatest(rows)).toEqual([
    { id: "1", name: "Fox", picture: "data:image/jpeg;base64,/9j/abc" },
  ]);
});
