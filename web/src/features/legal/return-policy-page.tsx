import { policies } from "@/shop/owner-settings";
import { SUPPORT_EMAIL } from "@/shop/support";
import { type Clause, LegalPage } from "./legal-page";

const CLAUSES: Clause[] = [
  {
    title: "What we take back",
    body: (
      <>
        <p>
          Every shirt is printed for one person, so we can't put it back on a shelf. We make it good
          when the fault is ours or the carrier's:
        </p>
        <ul>
          <li>
            <strong>Damaged:</strong> it arrived torn, stained or otherwise hurt.
          </li>
          <li>
            <strong>Defective:</strong> a seam, the cloth or the print doesn't hold up.
          </li>
          <li>
            <strong>Wrong:</strong> not the design, color, size or quantity that you ordered.
          </li>
          <li>
            <strong>Misprinted:</strong> the print is crooked, cut off, blurred or faded, or clearly
            differs from the preview.
          </li>
        </ul>
      </>
    ),
  },
  {
    title: "What we don't",
    body: (
      <>
        <p>
          A change of mind, a size that turned out too small or too large, or a design that you
          would draw differently today. The size guidelines on the order page give every measure in
          inches, with a tolerance of 1.5: lay a shirt that fits you flat and compare before you
          order.
        </p>
        <p>Small differences between a screen's colors and ink on cotton are part of printing.</p>
      </>
    ),
  },
  {
    title: "How to ask",
    body: (
      <>
        <p>
          Write to <a href={`mailto:${SUPPORT_EMAIL}?subject=Return`}>{SUPPORT_EMAIL}</a> within{" "}
          {policies.claim_days} days of delivery, with
        </p>
        <ol>
          <li>your order number (it starts with # and stands in your confirmation e-mail),</li>
          <li>a photo that shows what is wrong,</li>
          <li>and whether you would like a replacement or your money back.</li>
        </ol>
        <p>You needn't send the shirt back unless we ask; then we pay for the parcel.</p>
      </>
    ),
  },
  {
    title: "What you get",
    body: (
      <p>
        A replacement, printed and shipped at no cost, or a full refund including what you paid for
        shipping. You choose.
      </p>
    ),
  },
  {
    title: "When the money is back",
    body: (
      <p>
        Refunds go to the card that paid, in US dollars, within {policies.refund_time} of our
        answer. Your bank may take a little longer to show it.
      </p>
    ),
  },
  {
    title: "Canceling an order",
    body: (
      <p>
        Printing starts soon after payment. Write to us at once if something is wrong with the
        address or the size: before the press runs, we can still stop it.
      </p>
    ),
  },
];

export function ReturnPolicyPage() {
  return (
    <LegalPage
      title="Return Policy"
      summary={`If a shirt arrives damaged, defective, wrong or misprinted, send us a photo and we replace it or refund it in full. Refunds take ${policies.refund_time}.`}
      updated={policies.updated}
      clauses={CLAUSES}
    />
  );
}
