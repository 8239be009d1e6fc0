import { Badge, type Tone } from "@/components/ui/badge";
import { capitalise } from "@/lib/text/format";

const TONES: Record<string, Tone> = {
  pending: "yellow",
  paid: "blue",
  processing: "purple",
  shipped: "green",
  delivered: "emerald",
  cancelled: "red",
};

export function OrderStatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? "grey"}>{capitalise(status)}</Badge>;
}
