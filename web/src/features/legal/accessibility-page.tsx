import { policies } from "@/shop/owner-settings";
import { type Clause, LegalPage } from "./legal-page";

const CLAUSES: Clause[] = [
  {
    title: "What we aim at",
    body: (
      <p>
        The Web Content Accessibility Guidelines (WCAG) 2.2, level AA, on every page: from the first
        look around to a paid order, a return and the end of an account.
      </p>
    ),
  },
  {
    title: "What you can rely on",
    body: (
      <ul>
        <li>
          <strong>Keyboard:</strong> everything is reached and worked without a mouse, the focus is
          always seen, and no bar lies on top of it. Nothing has to be dragged.
        </li>
        <li>
          <strong>Screen readers:</strong> pages have one main heading, landmarks and a title of
          their own; fields have labels, pictures a text, and what changes is announced.
        </li>
        <li>
          <strong>Sight:</strong> text and controls have contrast in light and dark, high-contrast
          modes keep what is chosen apart, and a zoom of 400 % needs no sideways scrolling.
        </li>
        <li>
          <strong>Touch:</strong> buttons and links are at least 24 pixels wide and high, or have
          room around them.
        </li>
        <li>
          <strong>Calm:</strong> where your system asks for less motion, nothing moves by itself.
        </li>
        <li>
          <strong>Forms:</strong> an error says what is wrong and where. Signing in takes pasted
          passwords, password managers, Google or a mailed code, and no puzzle. What you typed is
          kept, and an address is asked for once.
        </li>
      </ul>
    ),
  },
  {
    title: "How we check",
    body: (
      <p>
        Programs look at every page before each release, in light and dark: axe against the rules, a
        shirt designed and paid for by the keyboard alone, a screen of 320 pixels, a reader's own
        spacing of text, and high contrast. People look at what programs can't judge. No outside
        body has audited the shop yet.
      </p>
    ),
  },
  {
    title: "What isn't right yet",
    body: (
      <ul>
        <li>
          <strong>Pictures of designs</strong> are described by the name that their maker gave them,
          which may say little.
        </li>
        <li>
          <strong>Long names</strong> are cut in the gallery's cards and in narrow lists; opened, a
          design shows the whole name.
        </li>
        <li>
          <strong>The tutorial video</strong> has captions and no audio description; the steps on
          the same page say the same in words. It plays by itself, without sound, and can be paused
          once it was started with sound.
        </li>
        <li>
          <strong>The card field</strong> is Stripe's own. It works by keyboard and with screen
          readers; its looks are not ours to change.
        </li>
      </ul>
    ),
  },
  {
    title: "If something is in your way",
    body: (
      <p>
        Tell us which page it is and what you use: browser, screen reader, settings. We mend it, and
        help you to get done meanwhile what you came for.
      </p>
    ),
  },
];

export function AccessibilityPage() {
  return (
    <LegalPage
      title="Accessibility"
      summary="A shirt of your own is for everybody: by keyboard, by ear, in large type or in your own colors. Here is what works, how we check it, and what isn't right yet."
      updated={policies.updated}
      clauses={CLAUSES}
    />
  );
}
