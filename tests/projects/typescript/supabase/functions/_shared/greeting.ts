export const greeting = "by the map"
