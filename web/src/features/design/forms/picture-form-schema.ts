import * as z from "zod/mini";
import { cleanText, isBlank } from "@/lib/text/visible-text";
import { PICTURE_STYLES } from "../options";

export const pictureFormSchema = z
  .object({
    photo: z.string().check(z.minLength(1, "Add a photo first.")),
    style: z.enum(PICTURE_STYLES),
    customStyle: z.string(),
    instructions: z.string(),
    typography: z.string(),
    colorId: z.string().check(z.minLength(1, "Choose a t-shirt color.")),
  })
  .check(
    z.refine((form) => form.style !== "Other" || !isBlank(form.customStyle), {
      path: ["customStyle"],
      message: "Describe the style that you have in mind.",
    }),
  );

export type PictureForm = z.infer<typeof pictureFormSchema>;

export const emptyPictureForm: PictureForm = {
  photo: "",
  style: "Cartoon",
  customStyle: "",
  instructions: "",
  typography: "",
  colorId: "",
};

/** The style as it is sent and named: the visitor's own words when it is none of ours. */
export function styleOf(form: Pick<PictureForm, "style" | "customStyle">): string {
  return form.style === "Other" ? cleanText(form.customStyle) : form.style;
}

const request = z.object({
  style: z.string(),
  instructions: z.nullable(z.string()),
  typography: z.nullable(z.string()),
});

/** The form that was sent, without its photo. */
export function formOf(sent: Record<string, unknown>): Partial<PictureForm> {
  const { style, instructions, typography } = z.parse(request, sent);
  const listed = PICTURE_STYLES.find((each) => each !== "Other" && each === style);
  return {
    style: listed ?? "Other",
    customStyle: listed ? "" : style,
    instructions: instructions ?? "",
    typography: typography ?? "",
  };
}
