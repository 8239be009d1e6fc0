import { expect, test } from "vitest";
import { mayCancel, timeline } from "./order-timeline";

const states = (status: string) => timeline(status).map((stage) => stage.state);

test("what lies behind an order is done, what comes next lies ahead", () => {
  expect(states("processing")).toEqual(["done", "done", "current", "ahead", "ahead"]);
  expect(states("delivered")).toEqual(["done", "done", "done", "done", "current"]);
});

test("a cancelled order has no stages ahead", () => {
  expect(timeline("cancelled").map((stage) => stage.title)).toEqual(["Order placed", "Cancelled"]);
});

test("a status that the shop does not know lies before every stage", () => {
  expect(states("lost at sea")).toEqual(["ahead", "ahead", "ahead", "ahead", "ahead"]);
});

test("an order may be cancelled until the printer begins", () => {
  const statuses = ["pending", "paid", "processing", "shipped", "delivered", "cancelled"];
  expect(statuses.filter(mayCancel)).toEqual(["pending", "paid"]);
});
