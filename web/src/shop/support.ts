import { shop } from "./owner-settings";

/** Where a person answers. */
export const SUPPORT_EMAIL = shop.support_email;
