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

const CANCELLED: Stage = {
  status: "cancelled",
  title: "Cancelled",
  text: "It will not be printed. What was paid goes back to your card.",
  state: "current",
};

/** Every stage with its state; a cancelled order has only its beginning and its end. */
export function timeline(status: string): Stage[] {
  if (status === "cancelled") return [{ ...STAGES[0], state: "done" }, CANCELLED];
  const reached = STAGES.findIndex((stage) => stage.status === status);
  return STAGES.map(({ status: stage, title, text }, index) => ({
    status: stage,
    title,
    text,
    state: index < reached ? "done" : index === reached ? "current" : "ahead",
  }));
}

/** A shopper may cancel until the printer begins. */
export function mayCancel(status: string): boolean {
  return status === "pending" || status === "paid";
}
