/** An order's progress from the cart to the door. */
export interface Stage {
  status: string;
  title: string;
  text: string;
  state: "done" | "current" | "ahead";
}

const STAGES = [
  { status: "pending", title: "Order placed", text: "We have your sizes and your address." },
  { status: "paid", title: "Payment received", text: "Your card was charged once." },
  { status: "processing", title: "In print", text: "Your design is going onto the shirt." },
  { status: "shipped", title: "On its way", text: "The parcel is with the carrier." },
  { status: "delivered", title: "Delivered", text: "Enjoy wearing it." },
] as const;

const UNPAID = { ...STAGES[0], text: "It has not been paid." };

const CANCELLED = { status: "cancelled", title: "Cancelled", state: "current" } as const;

/** Every stage with its state; a cancelled order has only its beginning and its end. */
export function timeline(status: string, wasPaid: boolean): Stage[] {
  const placed = wasPaid && status !== "pending" ? STAGES[0] : UNPAID;
  if (status === "cancelled") {
    const money = wasPaid ? "What was paid goes back to your card." : "Nothing was charged.";
    return [
      { ...placed, state: "done" },
      { ...CANCELLED, text: `It will not be printed. ${money}` },
    ];
  }
  const reached = STAGES.findIndex((stage) => stage.status === status);
  return [placed, ...STAGES.slice(1)].map((stage, index) => ({
    ...stage,
    state: index < reached ? "done" : index === reached ? "current" : "ahead",
  }));
}

const DAY_MS = 86_400_000;

/** Until when an order can be paid: the shop cancels what is unpaid after a day. */
export function payableUntil(createdAt: string): Date {
  return new Date(new Date(createdAt).getTime() + DAY_MS);
}

/** A shopper may cancel until the printer begins. */
export function mayCancel(status: string): boolean {
  return status === "pending" || status === "paid";
}
