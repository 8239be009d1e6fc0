import { queryOptions } from "@tanstack/react-query";
import { loadFace } from "@/shop/scene/faces";

export function faceQuery(id: string) {
  return queryOptions({
    queryKey: ["face", id],
    queryFn: () => loadFace(id),
    staleTime: Number.POSITIVE_INFINITY,
    // it is a program's object, not data
    structuralSharing: false,
  });
}
