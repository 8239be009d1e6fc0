import { expect, test } from "vitest";
import { mayCancel, payableUntil, timeline } from "./order-timeline";

const states = (status: string) =>
  timeline(status, status !== "pending").map((stage) => stage.state);

test("what lies behind an order is done, what comes next lies ahead", () => {
  expect(states("processing")).toEqual(["done", "done", "current", "ahead", "ahead"]);
  expect(states("delivered")).toEqual(["done", "done", "done", "done", "current"]);
});

test("a cancelled order has no stages ahead", () => {
  expect(timeline("cancelled", true).map((stage) => stage.title)).toEqual([
    "Order placed",
    "Cancelled",
  ]);
});

test("an order that was never paid claims nothing about money", () => {
  const texts = (status: string) => timeline(status, false).map((stage) => stage.text);
  expect(texts("pending")[0]).toBe("It has not been paid.");
  expect(timeline("pending", true)[0]).toEqual(timeline("pending", false)[0]);
  expect(texts("cancelled")).toEqual([
    "It has not been paid.",
    "It will not be printed. Nothing was charged.",
  ]);
});

test("an order can be paid for a day", () => {
  expect(payableUntil("2026-11-01T10:00:00Z")).toEqual(new Date("2026-11-02T10:00:00Z"));
});

test("a status that the shop does not know lies before every stage", () => {
  expect(states("lost at sea")).toEqual(["ahead", "ahead", "ahead", "ahead", "ahead"]);
});

test("an order may be cancelled until the printer begins", () => {
  const statuses = ["pending", "paid", "processing", "shipped", "delivered", "cancelled"];
  expect(statuses.filter(mayCancel)).toEqual(["pending", "paid"]);
});
