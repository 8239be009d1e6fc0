/** Where a person answers. */
export const SUPPORT_EMAIL = "support@teesmith.example";
