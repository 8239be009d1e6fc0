import { expect, test } from "vitest";
import { moneyTexts, type OrderMoney } from "./order-money";

const PAID: OrderMoney = {
  status: "paid",
  wasPaid: true,
  totalCents: 3980,
  refundedCents: 0,
  lostCents: 0,
  refundedAt: null,
  isHeld: false,
};

test.each([
  ["paid", {}, []],
  ["held before production", { isHeld: true }, [/has asked.*your order waits/]],
  ["held in production", { isHeld: true, status: "processing" }, [/has asked.*your order waits/]],
  ["held on its way", { isHeld: true, status: "shipped" }, [/has asked.*return nothing/]],
  ["held and cancelled", { isHeld: true, status: "cancelled" }, [/Your money comes back once/]],
  ["cancelled", { status: "cancelled" }, [/We return \$39\.80 to your card/]],
  ["cancelled unpaid", { status: "cancelled", wasPaid: false }, []],
  [
    "lost to the bank",
    { status: "cancelled", refundedCents: 3980, lostCents: 3980 },
    ["Your bank has returned $39.80 to you."],
  ],
  [
    "partly lost, partly refunded",
    { status: "shipped", refundedCents: 3000, lostCents: 1000 },
    ["Your bank has returned $10.00 to you.", /We returned \$20\.00 to your card\. Banks/],
  ],
  [
    "partly refunded, then cancelled",
    { status: "cancelled", refundedCents: 1990, refundedAt: "2026-11-09T10:00:00Z" },
    [/We returned \$19\.90 to your card on Nov 9, 2026/, /We return \$19\.90 to your card\./],
  ],
])("an order that is %s says so", (_, changes, texts) => {
  expect(moneyTexts({ ...PAID, ...changes })).toEqual(
    texts.map((text) => (typeof text === "string" ? text : expect.stringMatching(text))),
  );
});
