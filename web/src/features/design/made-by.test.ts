import { expect, test } from "vitest";
import { madeBy } from "./made-by";

function chunk(name: string, content: string): string {
  const length = String.fromCharCode(
    ...[24, 16, 8, 0].map((bits) => (content.length >> bits) & 255),
  );
  return `${length}${name}${content}sums`;
}

const png = (...chunks: string[]) =>
  btoa(`\x89PNG\r\n\x1a\n${chunk("IHDR", "x".repeat(13))}${chunks.join("")}`);
const SOFTWARE =
  "Software\0Teesmith's local renderer (drawing and image processing, no generative model)";

test("the sample artist's pictures say so, and what was drawn in another way", () => {
  const remark = "Drawn as a sketch: the face is too small for a caricature.";
  const image = png(
    chunk("tEXt", SOFTWARE),
    chunk("tEXt", `Comment\0${remark}`),
    chunk("IDAT", "x"),
  );
  expect(madeBy(image)).toEqual({ sampleArtist: true, remark });
  expect(madeBy(`data:image/png;base64,${image}`)).toEqual({ sampleArtist: true, remark });
});

test.each([
  ["nothing", ""],
  ["a signature alone", btoa("\x89PNG\r\n\x1a\n")],
  ["a chunk longer than the file", png(chunk("tEXt", "Author\0me"), "\x7f\xff\xff\xfftEXt")],
  ["another program", png(chunk("tEXt", "Software\0A model"), chunk("IDAT", ""))],
  ["a text after the pixels", png(chunk("IDAT", "x".repeat(20)), chunk("tEXt", SOFTWARE))],
  ["another format", btoa("RIFF0000WEBPVP8 0000")],
  ["no picture", "bm90IGEgcGljdHVyZQ=="],
  ["no base64", "not / base64 at all"],
])("%s says nothing", (_, image) => {
  expect(madeBy(image)).toEqual({ sampleArtist: false, remark: "" });
});
