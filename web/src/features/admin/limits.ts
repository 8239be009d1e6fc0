/** Every list of the admin panel stops here. */
export const LIST_LIMIT = 50;
