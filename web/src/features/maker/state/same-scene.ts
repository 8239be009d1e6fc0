import type { Scene } from "@/shop/scene/scene";

/** Whether two scenes say the same, in whatever order the database gave their keys. */
export function sameScene(a: Scene, b: Scene): boolean {
  return text(a) === text(b);
}

function text(scene: Scene): string {
  return JSON.stringify(scene, (_, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
