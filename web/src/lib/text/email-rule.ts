import * as z from "zod/mini";

export const emailRule = z
  .string()
  .check(
    z.minLength(1, "Enter your email address."),
    z.email("This doesn't look like an email address."),
  );
