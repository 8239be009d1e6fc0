/** Offers a text in Latin letters, where its letters stand for sounds one by one. Nothing is replaced unasked. */
import { LONGEST, notPrinted } from "@/shop/orders/parcel-label";

const KANA = /[\p{scx=Hiragana}\p{scx=Katakana}ー]+/gu;
const HANGUL = /[가-힣]/g;
const FULL_WIDTH = /[\u3000\uff01-\uffef]+/g;
/** No line of the label is longer, and the libraries' time grows with the square of the length. */
const MOST_LETTERS = Math.max(...Object.values(LONGEST));
/** Scripts that write names without capitals. */
const WITHOUT_CAPITALS = /[ა-ჿ가-힣\p{scx=Hiragana}\p{scx=Katakana}]/u;

/** Undefined where none is honest: Han characters have many readings, and abjads leave their vowels out. */
export async function plainForm(text: string): Promise<string | undefined> {
  if (text.length > MOST_LETTERS) return undefined;
  const [{ default: letters }, { toRomaji }] = await Promise.all([
    import("./data/letters.json"),
    import("wanakana"),
  ]);
  const latin = new Map(Object.entries(letters));
  const spell = (sign: string) => latin.get(sign) ?? sign;
  const plain = text
    .replace(FULL_WIDTH, (run) => run.normalize("NFKC"))
    .normalize("NFC")
    .split(/(\s+)/)
    .map((word) => {
      const spelled = Array.from(
        word
          .replace(KANA, (run) => toRomaji(run))
          .replace(HANGUL, (syllable) => Array.from(syllable.normalize("NFD"), spell).join("")),
        spell,
      ).join("");
      return WITHOUT_CAPITALS.test(word)
        ? spelled.charAt(0).toUpperCase() + spelled.slice(1).toLowerCase()
        : spelled;
    })
    .join("")
    .trim();
  return plain && notPrinted(plain) === undefined ? plain : undefined;
}
