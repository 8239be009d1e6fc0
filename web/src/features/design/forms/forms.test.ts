import { expect, test } from "vitest";
import { promptOf } from "@/shop/variations/prompt";
import { AI_STYLES, MOODS, PICTURE_STYLES } from "../options";
import { designName } from "../wizard/use-save-design";
import { aiFormSchema, emptyAiForm } from "./ai-form-schema";
import { mergeDraft } from "./merge-draft";
import { emptyPictureForm, pictureFormSchema, styleOf } from "./picture-form-schema";

const messages = (result: {
  success: boolean;
  error?: { issues: { path: PropertyKey[]; message: string }[] };
}) =>
  Object.fromEntries(
    (result.error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]),
  );

test("the first style and tone are chosen from the start", () => {
  expect([emptyAiForm.style, emptyAiForm.mood, emptyPictureForm.style]).toEqual([
    "Realistic photo",
    "colorful",
    "Cartoon",
  ]);
  expect([AI_STYLES.length, MOODS.length, PICTURE_STYLES.length]).toEqual([10, 9, 9]);
});

test("an idea and a colour are required, lettering is not", () => {
  expect(messages(aiFormSchema.safeParse({ ...emptyAiForm, idea: "   " }))).toEqual({
    idea: "Describe your idea first: a few words are enough.",
    colorId: "Choose a t-shirt color.",
  });
  expect(aiFormSchema.safeParse({ ...emptyAiForm, idea: "A fox", colorId: "1" }).success).toBe(
    true,
  );
});

test("a photo and a colour are required, and words for a style of one's own", () => {
  expect(messages(pictureFormSchema.safeParse(emptyPictureForm))).toEqual({
    photo: "Add a photo first.",
    colorId: "Choose a t-shirt color.",
  });
  const filled = { ...emptyPictureForm, photo: "data:", colorId: "1" };
  expect(pictureFormSchema.safeParse(filled).success).toBe(true);
  expect(messages(pictureFormSchema.safeParse({ ...filled, style: "Other" }))).toEqual({
    customStyle: "Describe the style that you have in mind.",
  });
  expect(
    pictureFormSchema.safeParse({ ...filled, style: "Other", customStyle: "Stained glass" })
      .success,
  ).toBe(true);
});

test("lettering becomes a sentence of the prompt", () => {
  expect(promptOf({ idea: " A fox ", typography: " " })).toBe("A fox");
  expect(promptOf({ idea: "A fox", typography: "Good boy" })).toBe(
    'A fox. Text to include: "Good boy"',
  );
  expect(promptOf({ idea: "A fox!", typography: "Hi" })).toBe('A fox! Text to include: "Hi"');
});

test("a style of one's own is named by its words", () => {
  expect(styleOf({ style: "Cartoon", customStyle: "left over" })).toBe("Cartoon");
  expect(styleOf({ style: "Other", customStyle: " Stained glass " })).toBe("Stained glass");
});

test("a design without a name is Untitled Design, and no name is longer than the shop keeps", () => {
  expect(designName("  ")).toBe("Untitled Design");
  expect(designName(" A fox ")).toBe("A fox");
  expect(designName("x".repeat(3000))).toHaveLength(2000);
});

test("a draft fills the fields it knows and no others", () => {
  expect(mergeDraft({ a: "", b: "b" }, { a: "1", b: 2, c: "3" })).toEqual({ a: "1", b: "b" });
  expect(mergeDraft({ a: "x" }, "nonsense")).toEqual({ a: "x" });
});
