/** The first part of the key of all that the admin's page reads: what an admin does may change any of it. */
export const ADMIN_KEY = ["admin"];
