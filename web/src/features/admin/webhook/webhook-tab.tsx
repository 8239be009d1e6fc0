import type { UseMutationResult } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { CustomTestForm } from "./custom-test-form";
import { useOrderTest, useShippedTest } from "./use-webhook-tests";

export function WebhookTab() {
  const order = useOrderTest();
  const shipped = useShippedTest();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card>
        <CardTitle>Custom webhook</CardTitle>
        <p className="mt-2 mb-5 text-sm text-ink-soft">
          Posts JSON to an address of your choice. The shop's server sends it, so the address has to
          be reachable from there.
        </p>
        <CustomTestForm />
      </Card>
      <div className="flex flex-col gap-6">
        <SimpleTest
          title="Order webhook"
          text="Sends the confirmation of the latest paid order once more: the mail, and the post to the automation address if there is one."
          label="Test Order Webhook"
          test={order}
        />
        <SimpleTest
          title="Shipped webhook"
          text="Takes the latest order that the printer has, marks it as shipped with mock tracking data, and sends the shipping note. It changes that order for real."
          label="Test Shipped Webhook"
          test={shipped}
        />
      </div>
    </div>
  );
}

interface SimpleTestProps {
  title: string;
  text: string;
  label: string;
  test: UseMutationResult<string | undefined, Error, void>;
}

function SimpleTest({ title, text, label, test }: SimpleTestProps) {
  return (
    <Card className="flex flex-col items-start gap-3">
      <CardTitle>{title}</CardTitle>
      <p className="text-sm text-ink-soft">{text}</p>
      <Button variant="secondary" busy={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? null : <Send aria-hidden="true" />}
        {label}
      </Button>
    </Card>
  );
}
