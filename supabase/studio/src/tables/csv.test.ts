import { expect, test } from "vitest";
import { toCsv } from "./csv";

test("NULL is empty and an empty text is quoted", () => {
  expect(
    toCsv(
      ["id", "title"],
      [
        ["1", null],
        ["2", ""],
      ],
    ),
  ).toBe('id,title\r\n1,\r\n2,""\r\n');
});

test("commas, quotes and line ends are quoted, in names too", () => {
  expect(toCsv(['a "b"', "c,d"], [["1\n2", "plain"]])).toBe('"a ""b""","c,d"\r\n"1\n2",plain\r\n');
});
