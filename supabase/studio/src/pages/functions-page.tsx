/** The project's functions, and a form that calls one. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "react-router-dom";
import { call } from "../api/calls";
import { useProject } from "../api/services";
import { Badge } from "../components/badge";
import { Button } from "../components/button";
import { Failure } from "../components/failure";
import { Field, Input, Select, Textarea } from "../components/field";
import { Scroller } from "../components/scroller";

const METHODS = ["POST", "GET", "PUT", "PATCH", "DELETE"];

export function FunctionsPage() {
  const functions = useQuery({ queryKey: ["functions"], queryFn: () => call("functions") });
  const [chosen, setChosen] = useState("");
  const slug = chosen || functions.data?.[0]?.name || "";
  const selected = functions.data?.find((each) => each.name === slug);
  return (
    <div className="grid h-full max-md:grid-cols-1 max-md:grid-rows-[14rem_1fr] md:grid-cols-[18rem_1fr]">
      <div className="min-h-0 overflow-y-auto border-line max-md:border-b md:border-r p-3">
        <h2 className="mb-2 text-lg">Functions</h2>
        {functions.error ? <Failure error={functions.error} /> : null}
        {functions.data?.length === 0 ? (
          <p className="text-sm text-ink-soft">
            None yet. <code>supabase functions new hello</code> makes one.
          </p>
        ) : null}
        <ul data-rows className="flex flex-col gap-1">
          {functions.data?.map((each) => (
            <li key={each.name}>
              <Button
                variant={each.name === slug ? "secondary" : "ghost"}
                className="w-full justify-start font-mono"
                aria-current={each.name === slug || undefined}
                onClick={() => setChosen(each.name)}
              >
                {each.name}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      {selected ? (
        <div className="min-h-0 overflow-y-auto p-6">
          <div className="flex flex-wrap items-center gap-3">
            <h3 className="font-mono text-lg font-semibold">{selected.name}</h3>
            {selected.enabled ? null : <Badge tone="yellow">not enabled</Badge>}
            <Badge>{selected.verify_jwt ? "needs a token" : "open to all"}</Badge>
            <Link
              className="text-sm text-link underline"
              to={`/logs?search=${encodeURIComponent(selected.name)}`}
            >
              Logs
            </Link>
          </div>
          <p className="mt-1 font-mono text-sm text-ink-soft">{selected.entrypoint}</p>
          <CallForm key={selected.name} slug={selected.name} />
        </div>
      ) : null}
    </div>
  );
}

interface FunctionResponse {
  status: string;
  ms: number;
  headers: string;
  body: string;
}

function CallForm({ slug }: { slug: string }) {
  const project = useProject();
  const [method, setMethod] = useState("POST");
  const [path, setPath] = useState("");
  const [body, setBody] = useState("{}");
  const [token, setToken] = useState("");
  const send = useMutation({
    mutationFn: async (): Promise<FunctionResponse> => {
      if (!project.data) throw new Error("The project is not known yet.");
      const began = performance.now();
      const { api_url, anon_key } = project.data;
      const sent = await fetch(`${api_url}/functions/v1/${slug}${path}`, {
        method,
        headers: {
          apikey: anon_key,
          authorization: `Bearer ${token || anon_key}`,
          ...(method === "GET" ? {} : { "content-type": "application/json" }),
        },
        body: method === "GET" ? undefined : body,
      });
      const text = await sent.text();
      return {
        status: `${sent.status} ${sent.statusText}`,
        ms: Math.round(performance.now() - began),
        headers: [...sent.headers].map(([name, value]) => `${name}: ${value}`).join("\n"),
        body: pretty(text),
      };
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit} className="mt-6 flex max-w-3xl flex-col gap-4">
      <div className="flex gap-3">
        <Field label="Method">
          {(ids) => (
            <Select {...ids} value={method} onChange={(event) => setMethod(event.target.value)}>
              {METHODS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Path and query behind the name" className="flex-1">
          {(ids) => (
            <Input {...ids} value={path} onChange={(event) => setPath(event.target.value)} />
          )}
        </Field>
      </div>
      {method === "GET" ? null : (
        <Field label="Body">
          {(ids) => (
            <Textarea
              {...ids}
              spellCheck={false}
              className="w-full font-mono"
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Access token" hint="Without one the anon key is sent.">
        {(ids) => (
          <Input
            {...ids}
            autoComplete="off"
            className="w-full font-mono"
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" className="self-start" busy={send.isPending}>
        Call
      </Button>
      {send.error ? <Failure error={send.error} /> : null}
      {send.data ? (
        <section aria-label="Answer">
          <p role="status" className="font-semibold">
            {send.data.status} in {send.data.ms} ms
          </p>
          <Scroller label="Headers" className="mt-2 text-xs text-ink-soft">
            <pre>{send.data.headers}</pre>
          </Scroller>
          <Scroller label="Body" className="mt-2 max-h-96 rounded-lg bg-sunk p-3 text-sm">
            <pre>{send.data.body}</pre>
          </Scroller>
        </section>
      ) : null}
    </form>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
