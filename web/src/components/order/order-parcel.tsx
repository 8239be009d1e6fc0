import { Fact } from "@/components/fact";
import { TrackingLink } from "@/components/tracking-link";
import { Card, CardTitle } from "@/components/ui/card";

interface OrderParcelProps {
  carrier: string | null;
  number: string | null;
  url: string | null;
}

export function OrderParcel({ carrier, number, url }: OrderParcelProps) {
  return (
    <Card>
      <CardTitle className="mb-4">Parcel</CardTitle>
      {number || carrier ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-8 gap-y-2.5">
          {carrier ? <Fact name="Carrier">{carrier}</Fact> : null}
          {number ? (
            <Fact name="Tracking">
              <TrackingLink number={number} url={url} />
            </Fact>
          ) : null}
        </dl>
      ) : (
        <p className="text-ink-soft">
          Carrier and tracking number are here as soon as the parcel is on its way.
        </p>
      )}
    </Card>
  );
}
