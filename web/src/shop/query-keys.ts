/** First parts of the keys of several queries: to invalidate one refreshes them all, in whichever feature they are. */
export const ORDERS_KEY = ["orders"];
export const DESIGNS_KEY = ["designs"];
export const GALLERY_KEY = ["gallery"];
export const SHARED_DESIGN_KEY = ["shared-design"];
