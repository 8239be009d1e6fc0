import * as z from "zod/mini";
import { cleanText, isBlank } from "@/lib/visible-text";
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
