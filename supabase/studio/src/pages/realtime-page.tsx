/** A channel from inside: what is broadcast, who is present, which rows change. */
import type { RealtimeChannel } from "@supabase/supabase-js";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { service } from "../api/services";
import { Badge } from "../components/badge";
import { Button } from "../components/button";
import { Field, Input } from "../components/field";
import { Scroller } from "../components/scroller";

const MOST_EVENTS = 500;

interface Received {
  number: number;
  time: string;
  kind: string;
  payload: string;
}

export function RealtimePage() {
  const [name, setName] = useState("room");
  const [schema, setSchema] = useState("public");
  const [joined, setJoined] = useState<RealtimeChannel | null>(null);
  const [state, setState] = useState("");
  const [events, setEvents] = useState<Received[]>([]);
  const [event, setEvent] = useState("message");
  const [payload, setPayload] = useState('{"text": "hello"}');
  const [wrong, setWrong] = useState("");
  const count = useRef(0);
  const channel = useRef<RealtimeChannel | null>(null);

  useEffect(() => () => void channel.current?.unsubscribe(), []);

  const receive = (kind: string, what: unknown) => {
    count.current += 1;
    const received = {
      number: count.current,
      time: new Date().toISOString().slice(11, 23),
      kind,
      payload: JSON.stringify(what),
    };
    setEvents((before) => [received, ...before].slice(0, MOST_EVENTS));
  };

  const join = async (submitted: FormEvent) => {
    submitted.preventDefault();
    setState("joining");
    const client = await service();
    const made = client
      .channel(name, { config: { broadcast: { self: true } } })
      .on("broadcast", { event: "*" }, (message) =>
        receive(`broadcast ${message.event}`, message.payload),
      )
      .on("presence", { event: "sync" }, () => receive("presence", made.presenceState()))
      .on("postgres_changes", { event: "*", schema }, (change) =>
        receive(`${change.eventType} ${change.table}`, { new: change.new, old: change.old }),
      )
      .on("system", {}, (message) => receive(`system ${message.status}`, message.message))
      .subscribe((status, error) => {
        setState(error ? `${status}: ${error.message}` : status.toLowerCase());
        if (status === "SUBSCRIBED") setJoined(made);
      });
    channel.current = made;
  };

  const leave = async () => {
    await channel.current?.unsubscribe();
    channel.current = null;
    setJoined(null);
    setState("");
  };

  const send = async (submitted: FormEvent) => {
    submitted.preventDefault();
    try {
      const content = JSON.parse(payload);
      setWrong("");
      await joined?.send({ type: "broadcast", event, payload: content });
    } catch (error) {
      setWrong(error instanceof SyntaxError ? "The payload is not JSON." : String(error));
    }
  };

  return (
    <div className="flex h-full flex-col">
      <h2 className="sr-only">Realtime</h2>
      <form onSubmit={join} className="flex flex-wrap items-end gap-3 border-b border-line p-4">
        <Field label="Channel">
          {(ids) => (
            <Input
              {...ids}
              required
              disabled={joined !== null}
              value={name}
              onChange={(changed) => setName(changed.target.value)}
            />
          )}
        </Field>
        <Field label="Changes in schema">
          {(ids) => (
            <Input
              {...ids}
              required
              disabled={joined !== null}
              value={schema}
              onChange={(changed) => setSchema(changed.target.value)}
            />
          )}
        </Field>
        {joined ? (
          // With keys: one button that became the other during a click would submit the form.
          <Button key="leave" variant="secondary" onClick={leave}>
            Leave
          </Button>
        ) : (
          <Button key="join" type="submit" busy={state === "joining"}>
            Join as service_role
          </Button>
        )}
        <span role="status">
          {state ? <Badge tone={joined ? "green" : "grey"}>{state}</Badge> : null}
        </span>
      </form>
      {joined ? (
        <form onSubmit={send} className="flex flex-wrap items-end gap-3 border-b border-line p-4">
          <Field label="Event">
            {(ids) => (
              <Input
                {...ids}
                required
                value={event}
                onChange={(changed) => setEvent(changed.target.value)}
              />
            )}
          </Field>
          <Field label="Payload" className="flex-1" error={wrong || undefined}>
            {(ids) => (
              <Input
                {...ids}
                className="w-full font-mono"
                value={payload}
                onChange={(changed) => setPayload(changed.target.value)}
              />
            )}
          </Field>
          <Button type="submit">Broadcast</Button>
        </form>
      ) : null}
      <Scroller label="Events">
        <table className="grid-table">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Event</th>
              <th scope="col">Payload</th>
            </tr>
          </thead>
          <tbody>
            {events.map((each) => (
              <tr key={each.number}>
                <td>{each.time}</td>
                <td>{each.kind}</td>
                <td className="w-full max-w-0" title={each.payload}>
                  {each.payload}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {events.length === 0 ? (
          <p className="p-6 text-ink-soft">
            {joined ? "Nothing has happened yet." : "Join a channel to see what happens in it."}
          </p>
        ) : null}
      </Scroller>
    </div>
  );
}
