import { Send } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { useKeptText } from "@/lib/drafts/use-drafts";
import { notifyProblem } from "@/lib/errors/notify";
import { parseTestData, useCustomTest } from "./use-webhook-tests";

const SAMPLE = JSON.stringify({ event: "test", message: "Hello from Teesmith" }, null, 2);

export function CustomTestForm() {
  const [url, setUrl] = useKeptText("webhook-url");
  const [text, setText] = useKeptText("webhook-data", SAMPLE);
  const [problem, setProblem] = useState<string>();
  const test = useCustomTest();

  function submit(event: FormEvent) {
    event.preventDefault();
    const data = parseTestData(text);
    if ("problem" in data) {
      setProblem(data.problem);
      notifyProblem("Webhook Test Error", data.problem);
      return;
    }
    setProblem(undefined);
    test.mutate({ url: url.trim(), payload: data.payload });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Webhook URL">
        {(ids) => (
          <Input
            {...ids}
            type="url"
            required
            placeholder="https://example.com/hooks/teesmith"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label="Test data (JSON)" error={problem}>
        {(ids) => (
          <Textarea
            {...ids}
            rows={7}
            spellCheck={false}
            className="font-mono text-sm/5"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" className="self-start" busy={test.isPending} disabled={!url.trim()}>
        {test.isPending ? null : <Send aria-hidden="true" />}
        Test Webhook
      </Button>
    </form>
  );
}
