/** What a picture's file says about its making: text chunks of PNG (https://www.w3.org/TR/png-3/#11tEXt). */
import { withoutPrefix } from "./pictures";

/** Base64 of it holds whatever stands before the pixels. */
const HEAD = 8192;
const SAMPLE_ARTIST = "Teesmith's local renderer";

export interface MadeBy {
  /** The stand-in drew it: no image model is set up. */
  sampleArtist: boolean;
  /** A sentence about what was drawn in another way than was asked for. */
  remark: string;
}

export function madeBy(image: string): MadeBy {
  const texts = textsOf(withoutPrefix(image));
  return {
    sampleArtist: texts.get("Software")?.startsWith(SAMPLE_ARTIST) ?? false,
    remark: texts.get("Comment") ?? "",
  };
}

function textsOf(base64: string): Map<string, string> {
  const texts = new Map<string, string>();
  // whole groups of base64; what is no picture says nothing
  const head = atob(/^(?:[A-Za-z0-9+/]{4})*/.exec(base64.slice(0, HEAD))?.[0] ?? "");
  const numberAt = (place: number) =>
    [0, 1, 2, 3].reduce((sum, step) => sum * 256 + head.charCodeAt(place + step), 0);
  // after the signature: length, name, content and checksum of each chunk
  for (let place = 8; place + 8 <= head.length; place += numberAt(place) + 12) {
    const name = head.slice(place + 4, place + 8);
    if (name === "IDAT") break;
    if (name !== "tEXt") continue;
    const [keyword = "", text = ""] = head
      .slice(place + 8, place + 8 + numberAt(place))
      .split("\0");
    texts.set(keyword, text);
  }
  return texts;
}
